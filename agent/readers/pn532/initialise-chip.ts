import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { command } from './command.ts';
import { COMMAND, PARAMETER, RF_ITEM, WAKE_UP_SEQUENCE } from './constants.ts';
import { ACK, type Frame } from './frame.ts';

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
