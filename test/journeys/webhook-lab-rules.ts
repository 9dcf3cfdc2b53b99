import { createHash } from 'node:crypto';

// What docs/webhooks.md, docs/faults.md and docs/choices/sandbox.md say of deliveries, written once more: it shares no code
// with the server.

const MINUTE_MS = 60_000;
const PAUSES_MS = [0, 1, 5, 10, 10, 10].map((minutes) => minutes * MINUTE_MS);
const QUEUES = 32;

/** A fault of the plan: each concerns every attempt of the endpoint. */
export interface LabFault {
  what: 'twice' | 'twice-at-once' | 'out-of-order';
  percent: number;
  delayMs?: number;
}

/** What was seen of the event of an object, in the order in which it was seen. */
export type Seen =
  /** An attempt is about to be made that faults may strike: these are counted. */
  | { kind: 'begun'; objectId: string }
  | { kind: 'arrived'; objectId: string; beganMs: number; endedMs: number; isAccepted: boolean }
  | { kind: 'struck'; objectId: string; atMs: number; what: string };

type Arrival = Extract<Seen, { kind: 'arrived' }>;
type Strike = Extract<Seen, { kind: 'struck' }>;

/** A strike as `GET /sandbox/faults` has to list it. */
interface ExpectedStrike {
  fault: number;
  occurrence: number;
  atMs: number;
  what: string;
  objectId: string;
}

interface Event {
  objectId: string;
  /** When its next attempt is due; Infinity after the last. */
  dueMs: number;
  attempts: number;
  /** How often it arrived: once for each attempt, and where a fault repeats one. */
  arrivals: number;
  isAccepted: boolean;
  isPutOff: boolean;
  /** Number of the attempt that is about to arrive, among all. */
  occurrence: number;
  /** A fault that struck it. */
  isStruck: boolean;
  /** Arrivals that a fault makes after the one that is accepted. */
  repeats: number;
  /** When the attempt began of which a fault makes a second arrival at once, whatever the first comes to. */
  secondMs: number | undefined;
}

/**
 * Follows what was seen of the deliveries to an endpoint, and checks each attempt against the rules: whether it is due, its
 * time, and which fault the seed chooses for it.
 * @param recorded the instant at which the event of each object was recorded
 * @returns what has to be listed as struck, each event at its end, and in sentences what the rules do not allow
 */
export function followRules(
  recorded: ReadonlyMap<string, number>,
  seen: readonly Seen[],
  { seed, faults }: { seed: string; faults: readonly LabFault[] },
) {
  const events = new Map(
    [...recorded].map(([objectId, dueMs]) => [objectId, { ...NEW_EVENT, objectId, dueMs }]),
  );
  const strikes: ExpectedStrike[] = [];
  const problems: string[] = [];
  const queues = createQueues();
  const heldBack = new Set<Event>();
  let occurrences = 0;

  const wrong = ({ objectId, attempts }: Event, problem: string) =>
    problems.push(`${objectId} after ${attempts} attempts ${problem}`);
  const begin = (event: Event, beganMs: number, endedMs: number) => {
    const problem = queues.begin(event, beganMs, endedMs);
    if (problem) wrong(event, problem);
  };
  const chosen = ({ occurrence }: Event) =>
    faults.findIndex(({ percent }, fault) => isChosen(`${seed} ${fault} ${occurrence}`, percent));

  function strike(event: Event, { what, atMs }: Strike): void {
    const { occurrence } = event;
    const fault = chosen(event);
    const expected = faults[fault]?.what ?? 'nothing';
    if (event.isPutOff || event.isAccepted || what !== expected)
      return void wrong(event, `is struck by ${what} as occurrence ${occurrence}, which is for ${expected}`);
    strikes.push({ fault, occurrence, atMs, what, objectId: event.objectId });
    if (what === 'twice') return void (event.isStruck = true);
    if (what === 'twice-at-once') {
      event.isStruck = true;
      event.secondMs = atMs;
      return;
    }
    begin(event, atMs, atMs);
    event.isPutOff = true;
    event.dueMs = atMs + faults[fault]!.delayMs!;
    heldBack.add(event);
  }

  function arrive(event: Event, { beganMs, endedMs, isAccepted }: Arrival): void {
    event.arrivals += 1;
    if (event.secondMs !== undefined && !event.isStruck) return arriveAtOnce(event, beganMs, endedMs);
    if (event.isAccepted) {
      event.repeats -= 1;
      if (event.repeats < 0) wrong(event, 'arrives again');
      return;
    }
    begin(event, beganMs, endedMs);
    if (!event.isPutOff && !event.isStruck && chosen(event) !== -1)
      wrong(event, `is not struck as occurrence ${event.occurrence}`);
    const pauseMs = PAUSES_MS[event.attempts] ?? Infinity;
    event.attempts += 1;
    event.repeats = isAccepted && event.isStruck && event.secondMs === undefined ? 1 : 0;
    Object.assign(event, { isAccepted, isPutOff: false, isStruck: false });
    event.dueMs = isAccepted ? Infinity : endedMs + pauseMs;
    heldBack.delete(event);
    if (!isAccepted) return;
    for (const other of heldBack) other.dueMs = Math.min(other.dueMs, endedMs);
    heldBack.clear();
  }

  /** The second of two arrivals at once: it decides nothing, but the attempt ends with the later of both. */
  function arriveAtOnce(event: Event, beganMs: number, endedMs: number): void {
    if (beganMs !== event.secondMs)
      wrong(event, `arrives ${beganMs - event.secondMs!} ms after the first of two at once`);
    event.secondMs = undefined;
    queues.extend(event, endedMs);
    if (event.isAccepted) return;
    event.dueMs = Math.max(event.dueMs, endedMs + (PAUSES_MS[event.attempts - 1] ?? Infinity));
  }

  for (const one of seen) {
    const event = events.get(one.objectId)!;
    if (one.kind === 'begun') event.occurrence = occurrences += 1;
    else if (one.kind === 'struck') strike(event, one);
    else arrive(event, one);
  }
  for (const event of events.values()) {
    if (event.repeats > 0 || event.secondMs !== undefined) wrong(event, 'does not arrive twice');
    if (event.isPutOff) wrong(event, 'was put off and does not arrive');
    if (event.dueMs < Infinity) wrong(event, `is not tried again at ${event.dueMs}`);
  }
  return { strikes, problems, events: [...events.values()] };
}

const NEW_EVENT = {
  attempts: 0,
  arrivals: 0,
  isAccepted: false,
  isPutOff: false,
  isStruck: false,
  repeats: 0,
  occurrence: 0,
  secondMs: undefined,
};

/** The queues of an endpoint: an attempt begins when it is due, or once those before it in its queue have ended. */
function createQueues() {
  const busy = Array.from({ length: QUEUES }, () => ({ fromMs: 0, untilMs: 0 }));
  const queueOf = ({ objectId }: Event) => busy[fnv1a(objectId) % QUEUES]!;
  return {
    /** Keeps a queue busy until the end of another arrival. */
    extend(event: Event, endedMs: number): void {
      const queue = queueOf(event);
      queue.untilMs = Math.max(queue.untilMs, endedMs);
    },
    /** Returns what is wrong with the time of an attempt, in words. */
    begin(event: Event, beganMs: number, endedMs: number): string | undefined {
      const queue = queueOf(event);
      const { fromMs, untilMs } = queue;
      if (beganMs > untilMs) queue.fromMs = beganMs;
      queue.untilMs = Math.max(untilMs, endedMs);
      if (beganMs < untilMs) return `begins ${untilMs - beganMs} ms before its queue is free`;
      const lateMs = beganMs - event.dueMs;
      const waited = lateMs > 0 && beganMs === untilMs && fromMs <= event.dueMs;
      return lateMs === 0 || waited ? undefined : `begins ${lateMs} ms after it is due`;
    },
  };
}

function isChosen(text: string, percent: number): boolean {
  const [a, b, c, d] = createHash('sha256').update(text).digest();
  return ((a! * 256 + b!) * 256 + c!) * 256 + d! < (percent / 100) * 2 ** 32;
}

function fnv1a(text: string): number {
  return [...Buffer.from(text)].reduce(
    (hash, byte) => Math.imul(hash ^ byte, 16_777_619) >>> 0,
    2_166_136_261,
  );
}
