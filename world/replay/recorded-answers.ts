import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceAnswer } from '../../server/traces/trace-item.schema.ts';

/** The answers of other servers in a recording, and which of them requests of the replay were given. */
interface RecordedAnswers {
  isGiven(item: TraceAnswer): boolean;
  give(item: TraceAnswer): void;
  /** Returns those after an item of the recording that were not given yet, in order. */
  after(seq: number): TraceAnswer[];
  /**
   * Returns whether giving this one keeps the order in which an endpoint first got the events of an object. Deliveries
   * that are tried again, and those of other objects, have no order.
   */
  isInOrder(item: TraceAnswer): boolean;
}

export function recordedAnswers({ items }: Trace): RecordedAnswers {
  const answers = items.filter((item) => item.kind === 'answer');
  const given = new Set<TraceAnswer>();
  const previous = previousOfObject(answers, objectsOfEvents(items));
  return {
    isGiven: (item) => given.has(item),
    give: (item) => void given.add(item),
    after: (seq) => answers.filter((item) => item.seq > seq && !given.has(item)),
    isInOrder(item) {
      const before = previous.get(item);
      return before === undefined || given.has(before);
    },
  };
}

/** Returns the objects of the recorded events, by the ids of the events. */
function objectsOfEvents(items: Trace['items']): Map<string, string> {
  const objects = new Map<string, string>();
  for (const item of items) {
    if (item.kind !== 'output' || item.entry.kind !== 'event') continue;
    const { objectId, detail } = item.entry;
    if (objectId !== null) objects.set((detail as { id: string }).id, objectId);
  }
  return objects;
}

/** Returns, for each first attempt of a recorded event, that of the event of the same object before it. */
function previousOfObject(
  answers: readonly TraceAnswer[],
  objects: ReadonlyMap<string, string>,
): Map<TraceAnswer, TraceAnswer> {
  const previous = new Map<TraceAnswer, TraceAnswer>();
  const latest = new Map<string, TraceAnswer>();
  const attempted = new Set<string>();
  for (const item of answers) {
    const eventId = (item.sent as { id?: string } | null)?.id ?? '';
    const objectId = objects.get(eventId);
    const attempt = `${item.url} ${eventId}`;
    if (objectId === undefined || attempted.has(attempt)) continue;
    attempted.add(attempt);
    const key = `${item.url} ${objectId}`;
    const before = latest.get(key);
    if (before) previous.set(item, before);
    latest.set(key, item);
  }
  return previous;
}
