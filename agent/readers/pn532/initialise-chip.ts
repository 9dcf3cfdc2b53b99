import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { command } from './command.ts';
import { COMMAND, PARAMETER, RF_ITEM, WAKE_UP_SEQUENCE } from './constants.ts';
import { ACK, type Frame } from './frame.ts';

const LIMITS = { limitMs: 300, repeatable: true };
// What the chip calls itself (UM0701-02 §7.2.2).
const IC_PN532 = 0x32;

/** Normal mode, no secure access module; 1 s for a virtual card that is not used; the IRQ pin is (§7.2.10). */
const SAM_NORMAL = Uint8Array.of(0x01, 0x14, 0x01);
/** A look at the field gives up after two tries, so that it can be stopped between looks (§7.3.1, item 5). */
const TRY_TWICE = Uint8Array.of(RF_ITEM.maxRetries, 0xff, 0x01, 0x01);

interface ChipParts {
  clock: Clock;
  channel: FrameChannel<Frame>;
}

/**
 * Wakes the chip and sets it up as the driver wants it; returns its firmware, such as `1.6`.
 * @throws Fault `reader` when nothing answers, or something that is no PN532.
 */
export async function initialiseChip(parts: ChipParts): Promise<string> {
  await wake(parts);
  const version = await firmware(parts);
  await command(
    parts,
    COMMAND.setParameters,
    Uint8Array.of(PARAMETER.automaticAtrRes | PARAMETER.automaticRats),
    LIMITS,
  );
  await command(parts, COMMAND.rfConfiguration, TRY_TWICE, LIMITS);
  return version;
}

/** The wake-up goes in one write with the first command, for a chip falls asleep again without one (§7.2.11). */
export async function wake(parts: ChipParts): Promise<void> {
  // It may be busy with what another program asked of it, or hold half a frame.
  await parts.channel.send(ACK);
  await parts.channel.send(WAKE_UP_SEQUENCE);
  await command(parts, COMMAND.samConfiguration, SAM_NORMAL, LIMITS);
}

/** @throws Fault `reader` when this is no PN532. */
export async function firmware(parts: ChipParts): Promise<string> {
  const [ic, version, revision] = await command(parts, COMMAND.getFirmwareVersion, new Uint8Array(0), LIMITS);
  if (ic !== IC_PN532) throw new Fault('reader', `${ic?.toString(16) ?? 'nothing'} is no PN532's type (32)`);
  return `${version}.${revision}`;
}

/** Sends bytes there and back over the line (§7.2.1, test 00). */
export async function echoes(parts: ChipParts): Promise<boolean> {
  const test = Uint8Array.of(0x00, ...Buffer.from('tapbench'));
  const answer = await command(parts, COMMAND.diagnose, test, LIMITS);
  return Buffer.from(test).equals(answer);
}
