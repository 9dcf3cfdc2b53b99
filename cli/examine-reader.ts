import { acceptAnyCard } from '../agent/readers/card-policy.ts';
import type { CardProtection } from '../agent/readers/card-protection.ts';
import type { DriverEntry, CheckResult } from '../agent/readers/driver.ts';
import { Fault } from '../protocol/failures.ts';
import type { Log } from '../protocol/log.ts';
import { createSimulatedPinPad } from '../simulator/pin-pad.ts';
import { portOpener } from './reader-port.ts';
import type { CommandContext } from './command-context.ts';

const NO_KEYS: CardProtection = {
  transaction() {
    throw new Fault('internal', 'an examination takes no payment');
  },
};

/** Tries the reader at a port step by step, and closes the port. The first step that fails is the last. */
export async function* diagnoseReader(
  { clock, random }: CommandContext,
  row: DriverEntry,
  port: string,
  log: Log,
): AsyncGenerator<CheckResult> {
  const driver = await row.load();
  yield* driver.diagnose({
    open: portOpener(port),
    clock,
    random,
    log,
    pinPad: createSimulatedPinPad(),
    protection: NO_KEYS,
    cards: acceptAnyCard,
    countryCode: '826',
  });
}

/**
 * Examines a reader that is about to be used.
 * @throws Fault `reader` with the step that failed, what it found and what to do.
 */
export async function requireHealthyReader(
  context: CommandContext,
  row: DriverEntry,
  port: string,
  log: Log,
): Promise<void> {
  for await (const { ok, step, detail, advice } of diagnoseReader(context, row, port, log)) {
    if (ok) continue;
    const words = [`${row.title} at ${port}: ${step}: ${detail}`, advice].filter(Boolean).join('; ');
    throw new Fault('reader', `${words} ('tapbench doctor ${port} --driver ${row.name}' shows each step)`);
  }
}
