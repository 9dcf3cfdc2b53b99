import { runDeviceChecks } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import { createKernelReader } from '../kernel-reader.ts';
import { command, COMMAND, ICC, type Session } from './command.ts';
import { createParser } from './frame.ts';
import { CCID_LINE, createCcidSlot, powerOn, slotStatus } from './slot.ts';

/** Driver for serial CCID contact readers, with Tapbench's EMV kernel (CCID 1.1, ISO/IEC 7816-3). */
export const driver: DriverModule = {
  createReader: (parts) => createKernelReader({ ...parts, name: 'CCID', slot: createCcidSlot(parts) }),
  diagnose: diagnoseReader,
};

const WIRING =
  'Check the cable and the power of the reader. A reader that shows up as a smart card reader by itself speaks USB, not serial CCID, and cannot be used by this driver';
const CARD = 'Put the card in with its chip first and facing up, and try another card';

// GemCore's own command for the name of its firmware.
const ASK_FIRMWARE = Uint8Array.of(0x02);

/** Tries a reader step by step (DriverModule.diagnose). */
export function diagnoseReader({
  open,
  clock,
  trace,
}: Pick<DriverParts, 'open' | 'clock' | 'trace'>): AsyncGenerator<CheckResult> {
  return runDeviceChecks({
    open,
    clock,
    trace,
    settings: CCID_LINE,
    parser: createParser(),
    trials(channel) {
      const session: Session = { clock, channel, sequence: { next: 0 } };
      return [
        { step: 'ask for the slot', advice: WIRING, run: () => slotOf(session) },
        { step: 'read its firmware', advice: WIRING, run: () => firmwareOf(session) },
        { step: 'power the card', advice: CARD, run: () => cardOf(session) },
      ];
    },
  });
}

async function slotOf(session: Session): Promise<string> {
  const { icc } = await slotStatus(session);
  return icc === ICC.absent ? 'no card in it' : 'a card in it';
}

async function firmwareOf(session: Session): Promise<string> {
  const request = { type: COMMAND.escape, data: ASK_FIRMWARE, limitMs: 500, repeatable: true };
  const { failure, data } = await command(session, request);
  // Only readers of the GemCore family know the question; others work without.
  return failure
    ? 'not told'
    : Buffer.from(data)
        .toString('latin1')
        .replaceAll(/[^\x20-\x7e]/g, '');
}

async function cardOf(session: Session): Promise<string> {
  const { icc } = await slotStatus(session);
  if (icc === ICC.absent) return 'there is none: put one in and try again to test this';
  const { atr, problem } = await powerOn(session);
  if (!atr) throw new Error(problem);
  await command(session, { type: COMMAND.iccPowerOff, limitMs: 500, repeatable: true });
  return `it answers, and speaks T=${atr.protocol}`;
}
