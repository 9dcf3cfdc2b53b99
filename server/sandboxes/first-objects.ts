import { createIds, type Ids, type Random } from '../../protocol/ids.ts';
import { bootstrapNewStore, firstAccounts, type FirstAccounts } from '../api/bootstrap/bootstrap.ts';
import { listSimulated, type TerminalSummary } from '../api/in-person/terminals/terminal.records.ts';
import type { SandboxClock } from '../platform/sandbox-clock.ts';
import type { Queries, Transaction } from '../platform/store/store.ts';
import { randomOf, type SandboxRecord } from './sandbox-record.schema.ts';

/** What a sandbox begins with, as far as the reply to its creation shows it. */
export interface FirstObjects extends FirstAccounts {
  terminals: TerminalSummary[];
}

/** Writes objects into a new sandbox, besides its accounts, in one transaction. */
export type SetUpSandbox = (tx: Transaction, parts: SetUpParts) => Promise<void>;

export interface SetUpParts {
  ids: Ids;
  /** Sandbox time. */
  nowMs: number;
  /** The platform account, to which the secret key belongs. */
  accountId: string;
}

interface FirstObjectsParts {
  random: Random;
  openClock(queries: Queries): Promise<SandboxClock>;
  setUp?: SetUpSandbox;
}

/** Writes the accounts, the keys and what `setUp` adds into the store of a new sandbox. */
export async function writeFirstObjects(
  tx: Transaction,
  record: SandboxRecord,
  { random, openClock, setUp }: FirstObjectsParts,
): Promise<void> {
  const clock = await openClock(tx);
  const ids = createIds(clock, randomOf(record, random));
  const { platformId } = await bootstrapNewStore(tx, { settings: record.keys, clock, ids });
  await setUp?.(tx, { ids, nowMs: clock.nowMs(), accountId: platformId });
}

/** Reads what a sandbox has of what it began with. */
export async function readFirstObjects(queries: Queries): Promise<FirstObjects> {
  const [accounts, terminals] = await Promise.all([firstAccounts(queries), listSimulated(queries)]);
  return { ...accounts, terminals };
}
