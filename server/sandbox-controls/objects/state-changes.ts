import { toTimestamp } from '../../../protocol/clock.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import { dataOf, type StoredCall, type StoredEvent } from './history.records.ts';
import { statusOf } from './object-summary.ts';
import type { ObjectDetail } from './object.schema.ts';

type StateChange = ObjectDetail['history']['states'][number];

/** A status of an object that something shows. */
interface Observation {
  status: string;
  atMs: number;
  eventId: string | null;
  requestId: string | null;
}

/** What is known of an object besides its events and requests. */
interface Known {
  id: string;
  initialStatus: string | undefined;
  createdMs: number | undefined;
  status: string | null;
  updatedMs: number | undefined;
}

/**
 * Returns the statuses of an object with their times, oldest first. They are those that its events and the replies of
 * stored requests show; the last one is that of the object.
 */
export function stateChanges(
  { id, initialStatus, createdMs, status, updatedMs }: Known,
  events: readonly StoredEvent[],
  calls: readonly StoredCall[],
): StateChange[] {
  const known: Observation[] = [
    ...events.toReversed().flatMap((event) => shownByEvent(event, id)),
    // An event of the object has the time of the change more exactly than the reply of the request that changed it.
    ...calls
      .toReversed()
      .filter(
        (call) => !events.some(({ created_ms: atMs }) => atMs >= call.created_ms && atMs <= endOf(call)),
      )
      .flatMap((call) => shownByReply(call, id)),
  ].sort((a, b) => a.atMs - b.atMs);
  const first = { eventId: null, requestId: null };
  if (initialStatus !== undefined && createdMs !== undefined && known[0]?.status !== initialStatus)
    known.unshift({ status: initialStatus, atMs: createdMs, ...first });
  const current = updatedMs ?? createdMs;
  if (status !== null && current !== undefined) known.push({ status, atMs: current, ...first });
  return known
    .filter((one, index) => one.status !== known[index - 1]?.status)
    .map(({ atMs, ...change }) => ({ ...change, createdTimestamp: toTimestamp(atMs) }));
}

function shownByEvent(event: StoredEvent, id: string): Observation[] {
  const status = statusIn(dataOf(event), id);
  return status === null ? [] : [{ status, atMs: event.created_ms, eventId: event.id, requestId: null }];
}

function shownByReply(call: StoredCall, id: string): Observation[] {
  // A reply to a read shows a status that the object may have had for long.
  if (call.method === 'GET' || call.answer === null) return [];
  const status = statusIn(parseJson(call.answer), id);
  return status === null ? [] : [{ status, atMs: endOf(call), eventId: null, requestId: call.id }];
}

function endOf({ created_ms: createdMs, elapsed_us: elapsedUs }: StoredCall): number {
  return createdMs + Math.ceil(elapsedUs / 1000);
}

/** Returns the status that a body shows of an object: the body is the object, or a terminal with the action. */
function statusIn(body: unknown, id: string): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { id: own, action } = body as { id?: unknown; action?: { id?: unknown } | null };
  if (own === id) return statusOf(body);
  return action?.id === id ? statusOf(action) : null;
}
