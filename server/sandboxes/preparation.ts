import type { Clock } from '../../protocol/clock.ts';
import { deactivateWebhooks } from '../api/webhooks/webhook.records.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { readClockOffset, storeClockOffset } from '../platform/sandbox-clock.ts';
import type { Store, Transaction } from '../platform/store/store.ts';
import { newestMs } from '../platform/store/tables.ts';
import type { SandboxInput } from './sandbox.schema.ts';
import type { SandboxOrigin } from './sandbox-storage.ts';

interface PreparationParts {
  realClock: Clock;
  /** Of the new sandbox. */
  engine: Store['engine'];
  /** Whether it begins with objects of another. */
  isCopy: boolean;
}

interface Asked {
  clock?: SandboxInput['clock'] | undefined;
  webhooks?: SandboxInput['webhooks'] | undefined;
  /** Time of the sandbox when its snapshot was made, epoch milliseconds. */
  savedMs?: number | undefined;
}

/** Returns what changes a new sandbox as its creation asks for; undefined for nothing. */
export function preparation(
  { clock, webhooks, savedMs }: Asked,
  { realClock, engine, isCopy }: PreparationParts,
): SandboxOrigin['prepare'] {
  if (clock === undefined && savedMs === undefined && (webhooks !== 'off' || !isCopy)) return undefined;
  return async (tx) => {
    if (clock !== undefined && isCopy) await refuseYounger(tx, engine, clock);
    const beginsMs = clock === undefined ? savedMs : clock * 1000;
    if (beginsMs !== undefined) await storeClockOffset(tx, beginsMs - realClock.nowMs());
    if (webhooks === 'off') await deactivateWebhooks(tx, realClock.nowMs() + (await readClockOffset(tx)));
  };
}

/** @throws Refusal `invalid_field` when something is younger than the clock */
async function refuseYounger(tx: Transaction, engine: Store['engine'], clock: number): Promise<void> {
  const newest = Math.ceil((await newestMs(tx, engine)) / 1000);
  if (newest <= clock) return;
  const problem = `must be ${newest} or later, when the newest object in the sandbox was created or last changed`;
  throw new Refusal('invalid_field', { field: 'clock', problem });
}
