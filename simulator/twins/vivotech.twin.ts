import {
  COMMANDS,
  INTERFACE,
  PIN_MODE,
  STATUS,
  TAG,
  TO_HOST,
  TO_HOST_PIN,
} from '../../agent/readers/vivotech/constants.ts';
import { encodeCommand, encodeResponse, type VivotechFrame } from '../../agent/readers/vivotech/frame.ts';
import { createReaderParser } from '../../agent/readers/vivotech/parser.ts';
import { CardGone } from '../../agent/readers/card-slot.ts';
import { after, delay, type Clock } from '../../protocol/clock.ts';
import { findTlv } from '../../protocol/emv/tlv.ts';
import { messageOf } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import type { Twin, TwinParts } from './twin.ts';
import { createCardFront } from './vivotech/card-front.ts';
import { createFirmware, type Answer, type Firmware, type Style } from './vivotech/reader-firmware.ts';

const NO_DATA = new Uint8Array(0);
// What the firmware needs for a command.
const ANSWER_MS = 2;
const ALL = INTERFACE.stripe | INTERFACE.contactless | INTERFACE.contact;

/** An ID TECH reader that speaks ViVOtech2: our own EMV kernel works inside it, over the chips of its tray. */
export function createTwin(parts: TwinParts): Twin {
  const { port, clock, log, tray } = parts;
  const parser = createReaderParser();
  const front = createCardFront(tray);
  const write = (bytes: Uint8Array) => port.write(bytes).catch(() => {});
  const pins = createPinQuestions((frame) => write(encodeCommand(frame)));
  const firmware = createFirmware({ ...parts, front, askPin: pins.ask });
  const desk = createDesk({ clock, write, firmware, pins });
  port.onData((bytes) => {
    for (const frame of parser.push(bytes)) {
      log.debug({ command: frame.command, code: frame.code }, 'a command for the reader');
      desk
        .obey(frame)
        .catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'a command was not done'));
    }
  });
  port.onClose(() => desk.stop());
  return {
    name: 'ViVOtech2 reader',
    controls: { swipe: (name) => front.swipe(name ?? 'visa-swipe') },
    async close() {
      desk.stop();
      await port.close();
    },
  };
}

interface DeskParts {
  clock: Clock;
  write(bytes: Uint8Array): Promise<void>;
  firmware: Firmware;
  pins: ReturnType<typeof createPinQuestions>;
}

/** Takes the commands: a simple one at once, one that takes its time alone, a cancel in between. */
function createDesk({ clock, write, firmware, pins }: DeskParts) {
  let working: AbortController | undefined;

  const answer = async ({ command }: VivotechFrame, { status, data }: Answer) => {
    await delay(clock, ANSWER_MS);
    await write(encodeResponse({ command, code: status, data }));
  };
  const stop = () => {
    working?.abort();
    working = undefined;
    pins.give(undefined);
    firmware.forget();
  };
  const workOn = async (frame: VivotechFrame, run: (signal: AbortSignal) => Promise<Answer>) => {
    const mine = (working = new AbortController());
    const result = await run(mine.signal);
    if (working !== mine) return;
    working = undefined;
    await answer(frame, result);
  };
  const find = (frame: VivotechFrame, style: Style) =>
    workOn(frame, async (signal) => {
      const command = findCommand(frame.data, style);
      const seconds = new AbortController();
      const timer = after(clock, command.seconds * 1000, () => seconds.abort());
      const result = await firmware.find(command, AbortSignal.any([signal, seconds.signal]));
      timer.cancel();
      return result;
    });
  const contact = async (frame: VivotechFrame, run: () => Promise<Answer>) => {
    await write(encodeResponse({ command: frame.command, code: STATUS.working, data: NO_DATA }));
    await workOn(frame, run);
  };
  return {
    stop,
    async obey(frame: VivotechFrame): Promise<void> {
      if (frame.command === TO_HOST) return pins.give(frame.data);
      if (is(frame, 'cancel')) {
        stop();
        return answer(frame, { status: STATUS.ok, data: NO_DATA });
      }
      if (working) return answer(frame, { status: STATUS.notAllowed, data: NO_DATA });
      if (is(frame, 'activateAll')) return find(frame, 'unified');
      if (is(frame, 'activate')) return find(frame, 'legacy');
      if (is(frame, 'contactStart')) return find(frame, 'contact');
      if (is(frame, 'contactAuthenticate')) return contact(frame, () => firmware.authenticate());
      if (is(frame, 'contactComplete')) return contact(frame, () => firmware.complete(frame.data));
      return answer(frame, simpleAnswer(frame, firmware));
    },
  };
}

function is({ command, code }: VivotechFrame, name: keyof typeof COMMANDS): boolean {
  return command === COMMANDS[name][0] && code === COMMANDS[name][1];
}

/** Ping, poll mode, configuration, version. */
function simpleAnswer(frame: VivotechFrame, firmware: Firmware): Answer {
  const ok = (data: Uint8Array = NO_DATA): Answer => ({ status: STATUS.ok, data });
  if (is(frame, 'ping') || is(frame, 'setPollMode') || is(frame, 'updateBalance')) return ok();
  if (is(frame, 'version')) return ok(Buffer.from(`TAPBENCH TWIN ${VERSION}`, 'latin1'));
  if (is(frame, 'getConfiguration')) return ok(Uint8Array.of(0x9f, 0x35, 0x01, 0x21));
  if (is(frame, 'setConfiguration')) {
    firmware.configure(frame.data);
    return ok();
  }
  const known = Object.values(COMMANDS).some(([command]) => command === frame.command);
  return { status: known ? STATUS.unknownSubCommand : STATUS.unknownCommand, data: NO_DATA };
}

/** What the host asked for: seconds, interfaces and the objects of the transaction. */
function findCommand(data: Uint8Array, style: Style) {
  if (style === 'contact') {
    const [, high = 0, low = 0] = data;
    const interfaces = INTERFACE.contact | (data[0] ? INTERFACE.stripe : 0);
    return { seconds: high * 256 + low, interfaces, objects: data.subarray(5), style };
  }
  const objects = data.subarray(1);
  const told = style === 'unified' ? findTlv(objects, TAG.interfaces)?.[0] : undefined;
  const usual = style === 'unified' ? ALL : INTERFACE.stripe | INTERFACE.contactless;
  return { seconds: data[0] ?? 0, interfaces: told ?? usual, objects, style };
}

/** 61-02: the reader has no keys, so the host asks for the PIN. One question at a time. */
function createPinQuestions(send: (frame: VivotechFrame) => Promise<void>) {
  let waiting: { resolve(digits: string): void; reject(reason: Error): void } | undefined;
  return {
    async ask(isOnline: boolean): Promise<string> {
      const answered = new Promise<string>((resolve, reject) => (waiting = { resolve, reject }));
      const mode = isOnline ? PIN_MODE.online : PIN_MODE.offline;
      await send({ command: TO_HOST, code: TO_HOST_PIN, data: Uint8Array.of(mode, 0, 0, 0, 0) });
      return answered;
    },
    /** The host's answer: mode, KSN and PIN, each after its length. */
    give(data: Uint8Array | undefined) {
      const [mode = PIN_MODE.cancelled, , , length = 0] = data ?? [];
      const asked = waiting;
      waiting = undefined;
      if (mode === PIN_MODE.cancelled) return asked?.reject(new CardGone('no PIN was typed'));
      asked?.resolve(Buffer.from(data!.subarray(5, 5 + length)).toString('latin1'));
    },
  };
}
