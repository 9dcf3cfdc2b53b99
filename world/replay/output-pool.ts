import { DisplayShown } from '../../protocol/messages/inspection.messages.ts';
import type { TimelineEntry } from '../../server/dashboard/view.ts';
import type { Bindings } from './bindings.ts';
import { compareEntries, type Difference } from './compare-values.ts';

/** What became of a recorded output: it is there, it differs, or it is not there yet. */
type Taken = { entry: TimelineEntry } | { difference: Difference } | undefined;

interface TakenBy {
  bindings: Bindings;
  /** Returns by how much the time of an output may be earlier than in the recording. */
  lagOf(replayed: TimelineEntry): number;
}

/** Kinds of entries that have the action which their terminal is at, unless they name one. */
const OF_RUNNING_ACTION: ReadonlySet<TimelineEntry['kind']> = new Set([
  'act',
  'fault',
  'mqtt.command',
  'mqtt.report',
]);

/** The outputs of a replay that are not compared yet. */
interface OutputPool {
  add(entry: TimelineEntry): void;
  /** Outputs so far, those that were taken included. */
  readonly count: number;
  /** Takes the output that stands for a recorded one: the next of the same object and kind. */
  take(recorded: TimelineEntry, by: TakenBy): Taken;
  /** Returns what is left, oldest first. */
  left(): readonly TimelineEntry[];
}

export function createOutputPool(): OutputPool {
  let count = 0;
  const outputs: TimelineEntry[] = [];
  const seenTerminals = new Set<string | null>();
  const withoutAction = new WeakSet<TimelineEntry>();

  /**
   * The action at which a terminal is when the recording begins is not known to the process of the replay until its next
   * step. Its id is in the snapshot, so both have the same.
   */
  function withAction(entry: TimelineEntry, recorded: TimelineEntry, bindings: Bindings): TimelineEntry {
    const { terminalId, actionId } = recorded;
    const isOfSnapshot = actionId !== null && bindings.replayedFor(actionId) === actionId;
    const isAtIt = withoutAction.has(entry) && entry.terminalId === terminalId;
    return isOfSnapshot && isAtIt ? { ...entry, actionId } : entry;
  }

  return {
    add(entry) {
      count += 1;
      outputs.push(entry);
      if (entry.kind === 'step' && entry.actionId !== null) seenTerminals.add(entry.terminalId);
      const lacksAction = OF_RUNNING_ACTION.has(entry.kind) && entry.actionId === null;
      if (lacksAction && !seenTerminals.has(entry.terminalId)) withoutAction.add(entry);
    },
    get count() {
      return count;
    },
    take(recorded, { bindings, lagOf }) {
      let first: Difference | undefined;
      for (const [entry, compared] of nextOfEach(outputs, recorded, { bindings, withAction })) {
        const difference = bindings.attempt(() =>
          compareEntries(recorded, compared, { bindings, lagMs: lagOf(entry) }),
        );
        if (!difference) {
          outputs.splice(outputs.indexOf(entry), 1);
          return { entry };
        }
        first ??= difference;
      }
      return first && { difference: first };
    },
    left: () => outputs,
  };
}

interface StandingFor {
  bindings: Bindings;
  withAction(entry: TimelineEntry, recorded: TimelineEntry, bindings: Bindings): TimelineEntry;
}

/** Returns the first output of each object that may stand for that of a recorded one, and what of it is compared. */
function nextOfEach(
  outputs: readonly TimelineEntry[],
  recorded: TimelineEntry,
  { bindings, withAction }: StandingFor,
): [entry: TimelineEntry, compared: TimelineEntry][] {
  const next = new Map<string, [TimelineEntry, TimelineEntry]>();
  const ids = idsOf(recorded);
  for (const entry of outputs) {
    if (kindOf(entry) !== kindOf(recorded)) continue;
    const compared = withAction(entry, recorded, bindings);
    const others = idsOf(compared);
    const key = others.join();
    if (!next.has(key) && ids.every((id, index) => mayStandFor(id, others[index]!, bindings)))
      next.set(key, [entry, compared]);
  }
  return [...next.values()];
}

function mayStandFor(recorded: string, replayed: string, { replayedFor, recordedFor }: Bindings): boolean {
  const known = replayedFor(recorded);
  return known === undefined ? recordedFor(replayed) === undefined : known === replayed;
}

function kindOf({ kind, step, message }: TimelineEntry): string {
  if (step) return `${kind} ${step.machineId}`;
  // Sent once a turn of the event loop has passed, so it may be before or after what the turn brings from elsewhere.
  return kind === 'mqtt.report' && message === DisplayShown.name ? DisplayShown.name : kind;
}

/** Ids of the object whose outputs of one kind come in order. */
function idsOf({ kind, objectId, actionId, terminalId, detail }: TimelineEntry): string[] {
  if (kind === 'webhook') {
    const { webhookId, eventId } = detail as { webhookId: string; eventId: string };
    return [webhookId, eventId];
  }
  if (kind === 'posting') return accountsOf(detail as { lines: { accountId: string }[] });
  if (kind === 'event' || kind === 'step') return [objectId ?? actionId ?? terminalId ?? ''];
  return [terminalId ?? '', actionId ?? ''];
}

function accountsOf({ lines }: { lines: { accountId: string }[] }): string[] {
  return lines.map(({ accountId }) => accountId);
}
