import { abortableDelay, delay, type Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import type { Log } from '../../../protocol/log.ts';
import type { OpenPort } from '../byte-port.ts';
import { CardLostError, type CardSlot } from '../card-slot.ts';
import { createDeviceConnection, type DeviceConnection } from '../device-connection.ts';
import type { FrameTrace, FrameChannel } from '../frame-channel.ts';
import type { CardConnection } from '../../emv/card-connection.ts';
import {
  abort,
  command,
  COMMAND,
  initialiseChip,
  LONGEST_DATA,
  MODULATION,
  MORE_INFORMATION,
  NODE_ADDRESS,
  NoResponseError,
  RF_ITEM,
  SAK_ISO_14443_4,
  STATUS_TEXTS,
} from './chip.ts';
import { createParser, type Frame } from './frame.ts';

export const PN532_LINE = { baudRate: 115_200 };

// Between two polls of an empty field; a poll for both card types takes about 40 ms.
const POLL_INTERVAL_MS = 100;
const POLL_LIMIT_MS = 1_000;
const SHORT_LIMIT_MS = 300;
// The longest frame waiting time is 4.9 s (ISO/IEC 14443-4 §7.2); waiting time extensions the chip handles itself.
const APDU_LIMIT_MS = 6_000;
// For a long command and response with chaining.
const EXCHANGE_LIMIT_MS = 12_000;
// Time without a field after which a card is reset (EMV Contactless Book D, tRESET).
const FIELD_OFF_MS = 10;

interface SlotParts {
  open: OpenPort;
  clock: Clock;
  log: Log;
  trace?: FrameTrace | undefined;
}

/** Creates the card slot of a PN532. It polls the field for a card, and sends APDUs with InDataExchange. */
export function createPn532Slot(parts: SlotParts): CardSlot {
  const { clock, log } = parts;
  const connection: DeviceConnection<Frame> = createDeviceConnection<Frame>({
    ...parts,
    settings: PN532_LINE,
    parser: createParser,
    handshake: (channel) => initialiseChip({ clock, channel }).then(() => {}),
  });
  const poll = () => connection.exchange(3 * POLL_LIMIT_MS, (channel) => pollForCard(clock, channel));
  return {
    name: 'PN532',
    async waitForCard(signal) {
      while (!signal.aborted) {
        const target = await poll();
        if (target && signal.aborted) await releaseCard(connection, clock);
        if (signal.aborted) break;
        if (target) {
          log.debug({ modulation: target.modulation }, 'a card is in the field');
          return connect(connection, clock, target);
        }
        await abortableDelay(clock, POLL_INTERVAL_MS, signal);
      }
      return undefined;
    },
    close: () => connection.close(),
  };
}

/** Polls once for one card, of type A and then of type B (UM0701-02 §7.3.5). */
export async function pollForCard(clock: Clock, channel: FrameChannel<Frame>): Promise<Target | undefined> {
  const limits = { limitMs: POLL_LIMIT_MS, repeatable: true };
  // AFI 00: a card of type B for whatever application (ISO/IEC 14443-3 §7.7.3).
  for (const [modulation, initiator] of [
    [MODULATION.typeA, []],
    [MODULATION.typeB, [0x00]],
  ] as const) {
    const parameters = Uint8Array.of(0x01, modulation, ...initiator);
    const target = targetOf(
      modulation,
      await command({ clock, channel }, COMMAND.inListPassiveTarget, parameters, limits),
    );
    if (target) return target;
  }
  return undefined;
}

function connect(connection: DeviceConnection<Frame>, clock: Clock, target: Target): CardConnection {
  let gone: string | undefined;
  return {
    technology: 'Contactless',
    async transceive(apdu) {
      if (gone !== undefined) throw new CardLostError(gone);
      if (target.sak !== undefined && (target.sak & SAK_ISO_14443_4) === 0) {
        throw new CardLostError('this is not a payment card: it does not speak ISO/IEC 14443-4');
      }
      try {
        return await connection.exchange(EXCHANGE_LIMIT_MS, (channel) =>
          exchangeApdu({ clock, channel }, target, apdu),
        );
      } catch (error) {
        if (error instanceof CardLostError) gone = error.message;
        if (!(error instanceof NoResponseError)) throw error;
        // The card may have run the command, so its state is unknown and it counts as lost.
        gone = 'the card did not answer in time';
        await connection.exchange(EXCHANGE_LIMIT_MS, (channel) => abortCommand(clock, channel));
        throw new CardLostError(gone);
      }
    },
    async release() {
      gone ??= 'the card was released';
      await releaseCard(connection, clock).catch(() => {});
    },
  };
}

/** Exchanges one APDU, with chaining for the chip's buffers (UM0701-02 §7.3.8). */
async function exchangeApdu(
  parts: { clock: Clock; channel: FrameChannel<Frame> },
  { number }: Target,
  apdu: Uint8Array,
): Promise<Uint8Array> {
  const limits = { limitMs: APDU_LIMIT_MS, repeatable: false };
  const send = async (tg: number, data: Uint8Array) => {
    const answer = await command(parts, COMMAND.inDataExchange, Uint8Array.of(tg, ...data), limits);
    const status = answer[0] ?? 0;
    // We never use a node address (bit 8). A frame that lost a 00 passes its checksum, with the first byte of data in
    // place of the status.
    if ((status & NODE_ADDRESS) !== 0) throw new CardLostError('the answer came garbled');
    const code = status & 0x3f;
    if (code !== 0) throw new CardLostError(STATUS_TEXTS[code] ?? `the PN532 reports error ${code}`);
    return { data: answer.subarray(1), more: (status & MORE_INFORMATION) !== 0 };
  };
  let rest = apdu;
  for (; rest.length > LONGEST_DATA; rest = rest.subarray(LONGEST_DATA)) {
    await send(number | MORE_INFORMATION, rest.subarray(0, LONGEST_DATA));
  }
  let answer = await send(number, rest);
  const pieces = [answer.data];
  while (answer.more) {
    answer = await send(number, new Uint8Array(0));
    pieces.push(answer.data);
  }
  const whole = concat(...pieces);
  if (whole.length < 2) throw new CardLostError('the card answers without status bytes');
  return whole;
}

/** Aborts a command that took too long, and checks that the chip responds again. */
async function abortCommand(clock: Clock, channel: FrameChannel<Frame>): Promise<void> {
  await abort(channel);
  try {
    await command({ clock, channel }, COMMAND.getFirmwareVersion, new Uint8Array(0), {
      limitMs: SHORT_LIMIT_MS,
      repeatable: true,
    });
  } catch (error) {
    // Without a response the connection is reopened.
    throw error instanceof NoResponseError ? new Fault('timed_out', error.message) : error;
  }
}

/** Releases the card and switches the field off, which resets the card. */
async function releaseCard(connection: DeviceConnection<Frame>, clock: Clock): Promise<void> {
  await connection.exchange(EXCHANGE_LIMIT_MS, async (channel) => {
    const limits = { limitMs: SHORT_LIMIT_MS, repeatable: true };
    await command({ clock, channel }, COMMAND.inRelease, Uint8Array.of(0x00), limits);
    await command({ clock, channel }, COMMAND.rfConfiguration, Uint8Array.of(RF_ITEM.field, 0x00), limits);
  });
  await delay(clock, FIELD_OFF_MS);
}

/** A card that the chip has activated. */
interface Target {
  /** The chip's number for it. */
  number: number;
  modulation: 'typeA' | 'typeB';
  /** SEL_RES of a card of type A; one of type B always speaks ISO/IEC 14443-4. */
  sak?: number;
}

/** The target in an answer to InListPassiveTarget (UM0701-02 §7.3.5); undefined for an empty field. */
export function targetOf(modulation: number, answer: Uint8Array): Target | undefined {
  const [count, number] = answer;
  if (!count || number === undefined) return undefined;
  if (modulation === MODULATION.typeB) return { number, modulation: 'typeB' };
  // Tg, SENS_RES (2), SEL_RES.
  const sak = answer[4];
  return sak === undefined ? undefined : { number, modulation: 'typeA', sak };
}
