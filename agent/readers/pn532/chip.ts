import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { ACK, informationFrame, NACK, TFI, type Frame } from './frame.ts';

/** Commands (§7.1). The chip answers each under its code plus one. */
export const COMMAND = {
  diagnose: 0x00,
  getFirmwareVersion: 0x02,
  setParameters: 0x12,
  samConfiguration: 0x14,
  rfConfiguration: 0x32,
  inDataExchange: 0x40,
  inListPassiveTarget: 0x4a,
  inRelease: 0x52,
} as const;

/** Bytes of card data that InDataExchange carries at once, each way (§7.3.8). Longer data is chained. */
export const LONGEST_DATA = 262;

/** In InDataExchange: more data of the same APDU follows (§7.3.8). On Tg from the host, on Status from the chip. */
export const MORE_INFORMATION = 0x40;

/** In a status: a node address follows. */
export const NODE_ADDRESS = 0x80;

/** What InListPassiveTarget looks for (§7.3.5, BrTy). */
export const MODULATION = { typeA: 0x00, typeB: 0x03 } as const;

/** SetParameters (§7.2.9): the chip sends RATS itself, so that cards come up in ISO/IEC 14443-4. */
const PARAMETER = { automaticAtrRes: 0x04, automaticRats: 0x10 } as const;

/** RFConfiguration items (§7.3.1). */
export const RF_ITEM = { field: 0x01, maxRetries: 0x05 } as const;

/** A byte of this value wakes a chip that sleeps on its serial line (§7.2.11): it has five rising edges. */
const WAKE_UP = 0x55;

/** The wake-up that goes before the first command: long enough for the oscillator to start (§7.2.11). */
export const WAKE_UP_SEQUENCE = Uint8Array.of(WAKE_UP, WAKE_UP, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/** SEL_RES (SAK) bit 6: the card speaks ISO/IEC 14443-4 (ISO/IEC 14443-3 §6.5.3.4). */
export const SAK_ISO_14443_4 = 0x20;

/** Status codes (§7.1, table of error codes) in words. The low six bits of a status. */
export const STATUS_TEXTS: Record<number, string> = {
  0x01: 'the card does not answer',
  0x02: 'the card answers with a wrong CRC',
  0x03: 'the card answers with wrong parity',
  0x05: 'the card answers with a framing error',
  0x06: 'two cards answer at once',
  0x07: 'a buffer of the chip is too small',
  0x09: 'a buffer of the chip overflowed',
  0x0a: 'the field is not on',
  0x0b: 'the card breaks the protocol',
  0x0d: 'the antenna is too hot',
  0x13: 'the card answers in a wrong format',
  0x27: 'there is no card selected',
  0x29: 'the card was released',
  0x2a: 'another card lies there',
  0x2b: 'the card is gone',
};

// The chip acknowledges within 15 ms (UM0701-02 §6.2.1.5); a USB bridge may hold bytes back for 16 more.
const ACK_LIMIT_MS = 150;
const TRIES = 3;
// How often a corrupt response is requested again.
const NACKS = 3;

interface CommandParts {
  clock: Clock;
  channel: FrameChannel<Frame>;
}

interface CommandLimits {
  /** From the acknowledgement to the answer. */
  limitMs: number;
  /**
   * Whether the command may be sent again without a response. Never for a command that reaches a card, which may have
   * run it already.
   */
  repeatable: boolean;
}

/** The chip did not respond to a command: it is missing, or busy with a card. */
export class NoResponseError extends Fault {
  constructor(message: string) {
    super('reader', message);
  }
}

/**
 * Sends a command and returns the response data without its code (UM0701-02 §6.2.2). A response implies a lost
 * acknowledgement; a corrupt response is requested again.
 * @throws NoResponseError; Fault `reader` when the chip refuses the command or the line is gone.
 */
export async function command(
  { clock, channel }: CommandParts,
  code: number,
  parameters: Uint8Array,
  { limitMs, repeatable }: CommandLimits,
): Promise<Uint8Array> {
  const frame = informationFrame(TFI.hostToChip, Uint8Array.of(code, ...parameters));
  for (let left = repeatable ? TRIES : 1; left > 0; left--) {
    channel.clear();
    await channel.send(frame);
    const answer = await answerTo({ clock, channel }, code, limitMs);
    if (answer) return answer;
  }
  throw new NoResponseError(`the PN532 does not answer command ${hexByte(code)}`);
}

/** Aborts the running command of the chip (§6.2.1.3). */
export async function abort(channel: FrameChannel<Frame>): Promise<void> {
  await channel.send(ACK);
  channel.clear();
}

async function answerTo(parts: CommandParts, code: number, limitMs: number): Promise<Uint8Array | undefined> {
  const { clock, channel } = parts;
  let untilMs = clock.nowMs() + ACK_LIMIT_MS;
  let acknowledged = false;
  let nacksLeft = NACKS;
  for (;;) {
    const frame = await channel.receive(untilMs - clock.nowMs());
    if (!frame) return undefined;
    // Only the first acknowledgement starts the wait: later ones are noise.
    if (frame.kind === 'ack' && !acknowledged) {
      acknowledged = true;
      untilMs = clock.nowMs() + limitMs;
    }
    if (frame.kind === 'error') throw new Fault('reader', `the PN532 refuses command ${hexByte(code)}`);
    // Before the acknowledgement, a NACK could bring the response of the previous command, which looks the same.
    if (frame.kind === 'broken' && acknowledged && nacksLeft-- > 0) {
      untilMs = Math.max(untilMs, clock.nowMs() + ACK_LIMIT_MS);
      await channel.send(NACK);
    }
    // Other responses are late, or an echo of our command.
    if (frame.kind === 'information' && frame.tfi === TFI.chipToHost && frame.data[0] === code + 1) {
      return frame.data.subarray(1);
    }
  }
}

function hexByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

const LIMITS = { limitMs: 300, repeatable: true };
// IC of a PN532 in GetFirmwareVersion (UM0701-02 §7.2.2).
const IC_PN532 = 0x32;

/** Normal mode, no secure access module; 1 s for a virtual card that is not used; the IRQ pin is (§7.2.10). */
const SAM_NORMAL = Uint8Array.of(0x01, 0x14, 0x01);
/** A poll ends after two attempts, so that it can be aborted between polls (§7.3.1, item 5). */
const TRY_TWICE = Uint8Array.of(RF_ITEM.maxRetries, 0xff, 0x01, 0x01);

interface ChipParts {
  clock: Clock;
  channel: FrameChannel<Frame>;
}

/**
 * Wakes and configures the chip, and returns its firmware version, such as `1.6`.
 * @throws Fault `reader` when nothing responds, or another device than a PN532.
 */
export async function initialiseChip(parts: ChipParts): Promise<string> {
  await wakeUp(parts);
  const version = await readFirmwareVersion(parts);
  await command(
    parts,
    COMMAND.setParameters,
    Uint8Array.of(PARAMETER.automaticAtrRes | PARAMETER.automaticRats),
    LIMITS,
  );
  await command(parts, COMMAND.rfConfiguration, TRY_TWICE, LIMITS);
  return version;
}

/** Wakes the chip. The first command follows at once, since the chip falls asleep again without one (§7.2.11). */
export async function wakeUp(parts: ChipParts): Promise<void> {
  // It may still run a command of another program, or hold a partial frame.
  await parts.channel.send(ACK);
  await parts.channel.send(WAKE_UP_SEQUENCE);
  await command(parts, COMMAND.samConfiguration, SAM_NORMAL, LIMITS);
}

/** Reads the firmware version. @throws Fault `reader` when this is not a PN532. */
export async function readFirmwareVersion(parts: ChipParts): Promise<string> {
  const [ic, version, revision] = await command(parts, COMMAND.getFirmwareVersion, new Uint8Array(0), LIMITS);
  if (ic !== IC_PN532) throw new Fault('reader', `${ic?.toString(16) ?? 'nothing'} is no PN532's type (32)`);
  return `${version}.${revision}`;
}

/** Returns whether bytes survive a round trip (§7.2.1, Diagnose test 00). */
export async function testConnection(parts: ChipParts): Promise<boolean> {
  const test = Uint8Array.of(0x00, ...Buffer.from('tapbench'));
  const answer = await command(parts, COMMAND.diagnose, test, LIMITS);
  return Buffer.from(test).equals(answer);
}
