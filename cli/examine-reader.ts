import { acceptAnyCard } from '../agent/readers/card-policy.ts';
import type { OpenPort } from '../agent/readers/byte-port.ts';
import type { CardProtection } from '../agent/readers/card-protection.ts';
import type { DriverEntry, CheckResult } from '../agent/readers/driver.ts';
import { Fault } from '../protocol/failures.ts';
import type { Log } from '../protocol/log.ts';
import { createSimulatedPinPad } from '../simulator/pin-pad.ts';
import { portOpener } from './reader-port.ts';
import type { CommandContext } from './command-context.ts';

const NO_KEYS: CardProtection = {
  transaction() {
    throw new Fault('internal', 'the reader examination takes no payment');
  },
};

/** Opens ports that close when the command is interrupted, which ends what waits for the device. */
function closedWhenInterrupted(open: OpenPort, interrupted: AbortSignal): OpenPort {
  return async (settings) => {
    const port = await open(settings);
    const close = () => void port.close().catch(() => {});
    port.onClose(() => interrupted.removeEventListener('abort', close));
    if (interrupted.aborted) close();
    else interrupted.addEventListener('abort', close, { once: true });
    return port;
  };
}

/**
 * Tests the reader at a port step by step and closes the port. Stops after the first step that fails, and when the
 * command is interrupted.
 */
export async function* diagnoseReader(
  { clock, random, interrupted }: CommandContext,
  row: DriverEntry,
  port: string,
  log: Log,
): AsyncGenerator<CheckResult> {
  const driver = await row.load();
  yield* driver.diagnose({
    open: closedWhenInterrupted(portOpener(port), interrupted),
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
 * Tests a reader before it is used.
 * @throws Fault `reader` with the step that failed, its result and advice.
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
