import { listActionsInProgress } from '../api/in-person/actions/action.records.ts';
import { listTerminalIds } from '../api/in-person/terminals/terminal.records.ts';
import { firstDueMs } from '../platform/scheduler/job.records.ts';
import type { Services } from '../platform/services.ts';

/** What a sandbox leaves behind when it sleeps. */
export interface SleepState {
  /** Real time at which something is due in it; null for nothing. */
  wakeMs: number | null;
  /** Its simulated terminals, as they stand; undefined for none. */
  terminals: unknown;
}

interface SleepParts {
  /** Whether the broker is in this process, and so knows who is connected. */
  isEmbedded: boolean;
  /** Whether pages, terminals of other programs or jobs need the sandbox now. */
  isNeeded(): boolean;
}

/**
 * Returns what a sandbox leaves behind when it sleeps; undefined while it has to stay open: for an action in progress,
 * an open page, or a terminal of another program. With an external broker such a terminal would connect unnoticed, so
 * there it is enough that it exists.
 */
export async function sleepStateOf(
  { store, clock, program }: Pick<Services, 'store' | 'clock' | 'program'>,
  { isEmbedded, isNeeded }: SleepParts,
): Promise<SleepState | undefined> {
  if (isNeeded() || (await listActionsInProgress(store)).length > 0) return undefined;
  const terminals = await program.exportTerminals();
  if (!isEmbedded && (await hasOthers(store, terminals))) return undefined;
  const wakeMs = await nextWakeMs({ store, clock });
  return isNeeded() ? undefined : { wakeMs, terminals };
}

/** Returns when the next job of a sandbox is due, in real time; null for none. */
export async function nextWakeMs({
  store,
  clock,
}: Pick<Services, 'store' | 'clock'>): Promise<number | null> {
  const dueMs = await firstDueMs(store);
  return dueMs === undefined ? null : dueMs - clock.offsetMs;
}

/** Returns when a fork has to be opened first, in real time; null for when it is used. */
export async function forkWakeMs(source: Pick<Services, 'store' | 'clock'>): Promise<number | null> {
  // A cardholder may be about to act, which no job waits for.
  const [inProgress, wakeMs] = await Promise.all([listActionsInProgress(source.store), nextWakeMs(source)]);
  return inProgress.length > 0 ? 0 : wakeMs;
}

async function hasOthers(store: Services['store'], simulated: unknown): Promise<boolean> {
  const members = (simulated ?? []) as { terminalId: string }[];
  const own = new Set(members.map(({ terminalId }) => terminalId));
  return (await listTerminalIds(store)).some((id) => !own.has(id));
}
