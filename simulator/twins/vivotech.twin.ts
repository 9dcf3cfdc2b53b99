import { CardLostError } from '../../agent/readers/card-slot.ts';
import { after, delay, type Clock } from '../../protocol/clock.ts';
import { findTlv } from '../../protocol/emv/tlv.ts';
import { messageOf } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import type { Twin, TwinParts } from './twin.ts';
import { createCardPresenter } from './vivotech/card-presenter.ts';
import {
  COMMAND,
  CONTACT,
  CONTACTLESS,
  createFrameCollector,
  GET_PIN,
  HOST_CONTROL,
  INTERFACES_TAG,
  PIN_CANCELLED,
  PIN_OFFLINE,
  PIN_ONLINE,
  questionFrame,
  responseFrame,
  STATUS,
  STRIPE,
  type ReceivedFrame,
} from './vivotech/frames.ts';
import {
  createFirmware,
  type FindCommand,
  type Firmware,
  type ResultFormat,
} from './vivotech/reader-firmware.ts';
import type { ResultShape } from './vivotech/result-style.ts';
import type { Answer } from './vivotech/tap.ts';

const NO_DATA = new Uint8Array(0);
// What the firmware needs for a command.
const ANSWER_MS = 2;
// 60-10 begins with whether a swipe is accepted too: 00 no, 01 yes. Others are refused.
const FALLBACK_MAX = 0x01;
// 60-11: whether to go online in any case, and a timeout.
const AUTHENTICATE_HEAD_BYTES = 3;
// 60-06: the number of objects, low byte first.
const TERMINAL_DATA_HEAD_BYTES = 2;
const ALL = STRIPE | CONTACTLESS | CONTACT;

/** Creates an ID TECH reader with ViVOtech2. It runs Tapbench's EMV kernel on the simulated cards of its tray. */
export function createTwin(parts: TwinParts): Twin {
  return createTwinWithShape(parts, {});
}

/** Creates a twin whose firmware writes its results in another way than usual. */
export function createTwinWithShape(parts: TwinParts, shape: Partial<ResultShape>): Twin {
  const { port, clock, log, tray } = parts;
  const collector = createFrameCollector();
  const front = createCardPresenter(tray);
  const write = (bytes: Uint8Array) => port.write(bytes).catch(() => {});
  const pins = createPinQuestions((subCommand, data) => write(questionFrame(subCommand, data)));
  const firmware = createFirmware({ ...parts, front, requestPin: pins.ask, shape });
  const desk = createCommandProcessor({ clock, write, firmware, pins });
  port.onData((bytes) => {
    for (const frame of collector.push(bytes)) {
      log.debug({ command: frame.command, code: frame.code }, 'a command for the reader');
      desk
        .execute(frame)
        .catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'a command was not done'));
    }
  });
  port.onClose(() => desk.stop());
  return {
    name: 'ViVOtech2 reader',
    controls: {
      swipe: { argument: 'NAME', run: (name) => front.swipe(name ?? 'visa-swipe') },
      results: { argument: 'SHAPE', run: (name) => firmware.changeShape(name) },
    },
    async close() {
      desk.stop();
      await port.close();
    },
  };
}

interface CommandProcessorParts {
  clock: Clock;
  write(bytes: Uint8Array): Promise<void>;
  firmware: Firmware;
  pins: ReturnType<typeof createPinQuestions>;
}

/** Runs the commands: simple ones at once, long ones one at a time, a cancel in between. */
function createCommandProcessor({ clock, write, firmware, pins }: CommandProcessorParts) {
  let working: AbortController | undefined;

  const answer = async ({ command }: ReceivedFrame, { status, data }: Answer) => {
    await delay(clock, ANSWER_MS);
    await write(responseFrame(command, status, data));
  };
  const stop = () => {
    working?.abort();
    working = undefined;
    pins.give(undefined);
    firmware.forget();
  };
  const workOn = async (frame: ReceivedFrame, run: (signal: AbortSignal) => Promise<Answer>) => {
    const mine = (working = new AbortController());
    const result = await run(mine.signal);
    if (working !== mine) return;
    working = undefined;
    await answer(frame, result);
  };
  const find = (frame: ReceivedFrame, command: FindCommand) =>
    workOn(frame, async (signal) => {
      const seconds = new AbortController();
      const timer = after(clock, command.seconds * 1000, () => seconds.abort());
      const result = await firmware.find(command, AbortSignal.any([signal, seconds.signal]));
      timer.cancel();
      return result;
    });
  const accept = ({ command }: ReceivedFrame) => write(responseFrame(command, STATUS.processing, NO_DATA));
  const start = async (frame: ReceivedFrame) => {
    if ((frame.data[0] ?? 0) > FALLBACK_MAX) {
      return answer(frame, { status: STATUS.incorrectParameter, data: NO_DATA });
    }
    await accept(frame);
    return find(frame, findCommand(frame.data, 'contact'));
  };
  const proceed = async (frame: ReceivedFrame, run: () => Promise<Answer>) => {
    if (firmware.hasContact) await accept(frame);
    await workOn(frame, run);
  };
  return {
    stop,
    async execute(frame: ReceivedFrame): Promise<void> {
      if (frame.command === HOST_CONTROL) return pins.give(frame.data);
      if (is(frame, 'cancel')) {
        stop();
        return answer(frame, { status: STATUS.ok, data: NO_DATA });
      }
      if (working) return answer(frame, { status: STATUS.commandNotAllowed, data: NO_DATA });
      if (is(frame, 'activateAll')) return find(frame, findCommand(frame.data, 'unified'));
      if (is(frame, 'activate')) return find(frame, findCommand(frame.data, 'legacy'));
      if (is(frame, 'contactStart')) return start(frame);
      if (is(frame, 'contactAuthenticate')) {
        return proceed(frame, () => firmware.authenticate(frame.data.subarray(AUTHENTICATE_HEAD_BYTES)));
      }
      if (is(frame, 'contactComplete')) {
        return proceed(frame, () => firmware.complete(hostResponse(frame.data)));
      }
      return answer(frame, simpleAnswer(frame, firmware));
    },
  };
}

function is({ command, code }: ReceivedFrame, name: keyof typeof COMMAND): boolean {
  return command * 256 + code === COMMAND[name];
}

/** Ping, poll mode, configuration, version. */
function simpleAnswer(frame: ReceivedFrame, firmware: Firmware): Answer {
  const ok = (data: Uint8Array = NO_DATA): Answer => ({ status: STATUS.ok, data });
  if (is(frame, 'ping') || is(frame, 'setPollMode') || is(frame, 'updateBalance')) return ok();
  if (is(frame, 'version')) return ok(Buffer.from(`TAPBENCH TWIN ${VERSION}`, 'latin1'));
  if (is(frame, 'getConfiguration')) return ok(firmware.configuration.report());
  if (is(frame, 'resetConfiguration')) {
    firmware.configuration.reset();
    return ok();
  }
  if (is(frame, 'setConfiguration') || is(frame, 'contactSetTerminalData')) {
    const head = is(frame, 'contactSetTerminalData') ? TERMINAL_DATA_HEAD_BYTES : 0;
    const isSet = frame.data.length >= head && firmware.configuration.set(frame.data.subarray(head));
    return isSet ? ok() : { status: STATUS.incorrectParameter, data: NO_DATA };
  }
  const known = Object.values(COMMAND).some((command) => command >> 8 === frame.command);
  return { status: known ? STATUS.unknownSubCommand : STATUS.unknownCommand, data: NO_DATA };
}

/** Parses a command to find a card: timeout in seconds, interfaces and transaction objects. */
function findCommand(data: Uint8Array, style: ResultFormat): FindCommand {
  if (style === 'contact') {
    const [, high = 0, low = 0] = data;
    const interfaces = CONTACT | (data[0] ? STRIPE : 0);
    return { seconds: high * 256 + low, interfaces, objects: data.subarray(5), style };
  }
  const objects = data.subarray(1);
  const told = style === 'unified' ? findTlv(objects, INTERFACES_TAG)?.[0] : undefined;
  const usual = style === 'unified' ? ALL : STRIPE | CONTACTLESS;
  return { seconds: data[0] ?? 0, interfaces: told ?? usual, objects, style };
}

/** Returns the objects of 60-12, which follow a byte about the host: 00 or 01. Objects that begin at once are read too. */
function hostResponse(data: Uint8Array): Uint8Array {
  return (data[0] ?? 0) <= 0x01 ? data.subarray(1) : data;
}

/** Sends 61-02: the reader has no PIN pad, so it requests the PIN from the host. One request at a time. */
function createPinQuestions(send: (subCommand: number, data: Uint8Array) => Promise<void>) {
  let waiting: { resolve(digits: string): void; reject(reason: Error): void } | undefined;
  return {
    async ask(isOnline: boolean): Promise<string> {
      const answered = new Promise<string>((resolve, reject) => (waiting = { resolve, reject }));
      const mode = isOnline ? PIN_ONLINE : PIN_OFFLINE;
      await send(GET_PIN, Uint8Array.of(mode, 0, 0, 0, 0));
      return answered;
    },
    /** The host's answer: mode, KSN and PIN, each after its length. */
    give(data: Uint8Array | undefined) {
      const [mode = PIN_CANCELLED, , , length = 0] = data ?? [];
      const asked = waiting;
      waiting = undefined;
      if (mode === PIN_CANCELLED) return asked?.reject(new CardLostError('no PIN was typed'));
      asked?.resolve(Buffer.from(data!.subarray(5, 5 + length)).toString('latin1'));
    },
  };
}
