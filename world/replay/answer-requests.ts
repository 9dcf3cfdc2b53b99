import { maskedSent } from '../../server/traces/mask-content.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceAnswer } from '../../server/traces/trace-item.schema.ts';
import { missing, type Difference } from './compare-values.ts';
import { mapTexts } from './bindings.ts';
import type { Mapping } from './mapping.ts';
import type { ReplayTime } from './replay-time.ts';
import type { ReplayWorld } from './replay-world.ts';

/** Gives the requests of a replay to other servers the recorded answers. */
interface AnsweredRequests {
  /** Gives a request its answer, as soon as it is there. */
  answer(item: TraceAnswer): Promise<void>;
  /** Waits as `ReplayTime` does, and meanwhile gives requests their answers. */
  waitFor: ReplayTime['waitFor'];
  /** Returns an answer whose request the replay did not send, with how the nearest request differs. */
  unanswered(): { item: TraceAnswer; difference: Difference } | undefined;
}

export function answerRequests(
  trace: Trace,
  { requests, server }: ReplayWorld,
  { book, map, compare }: Mapping,
  time: ReplayTime,
): AnsweredRequests {
  const { clock } = server.services;
  const answers = recordedAnswers(trace);
  // Ids, and when an attempt ended, decide which deliveries wait for each other, so a request may be sent only after
  // another one was answered.
  const early: { item: TraceAnswer; difference: Difference }[] = [];

  /** Returns undefined once the request has its answer. */
  function attempt(item: TraceAnswer): Difference | undefined {
    const { atMs, request, url, sent, answer } = item;
    if (!answers.isInOrder(item)) return missing(`${request} ${url}`);
    let last: Difference | undefined;
    for (const held of requests.held()) {
      if (held.request !== request || held.url !== map(url)) continue;
      const replayed = held.sent === undefined ? null : maskedSent(book, held.sent);
      const difference = compare(sent, replayed, time.lagWith(atMs, clock.nowMs()));
      if (!difference) {
        answers.give(item);
        held.settle(mapTexts(answer, map));
        return undefined;
      }
      last ??= difference;
    }
    return last ?? missing(`${request} ${url}`);
  }

  /** Gives a request the answer that it has later in the recording. Returns whether there is one. */
  function answerAhead({ seq }: TraceAnswer): boolean {
    return answers
      .after(seq)
      .some((item) => item.request === 'POST' && time.mayHappenNow(item.atMs) && !attempt(item));
  }

  const waitFor: ReplayTime['waitFor'] = (atMs, check) =>
    time.waitFor(atMs, () => {
      const at = early.findIndex(({ item }) => !attempt(item));
      if (at >= 0) early.splice(at, 1);
      return check();
    });

  return {
    async answer(item) {
      await time.reach(item.atMs);
      if (answers.isGiven(item)) return;
      let difference: Difference | undefined;
      do {
        const isAnswered = await waitFor(item.atMs, () => {
          difference = attempt(item);
          return difference ? undefined : true;
        });
        if (isAnswered) return;
      } while (answerAhead(item));
      early.push({ item, difference: difference! });
    },
    waitFor,
    unanswered: () => early[0],
  };
}

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

function recordedAnswers({ items }: Trace): RecordedAnswers {
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
