import { ID_FORMS } from '../../protocol/ids.ts';
import { checker, Nullable, Type, type Static } from '../../protocol/schema.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceReply } from '../../server/traces/trace-item.schema.ts';
import { isToken, textsIn, tokensIn } from './references.ts';

/** An object at the end of a recording. */
interface FinalState {
  path: string;
  /** Headers of the request that created it, or named it first. */
  headers: Record<string, string>;
  expected: object;
}

/** What an event says of its object, where that has a state. */
const StateEvent = Type.Object({
  data: Type.Object({
    id: Type.String(),
    status: Type.Optional(Type.String()),
    refundedAmount: Type.Optional(Type.Integer()),
    action: Type.Optional(Nullable(Type.Object({ status: Type.Optional(Type.String()) }))),
  }),
});
type StateEvent = Static<typeof StateEvent>;
const checkStateEvent = checker(StateEvent);

/**
 * Returns the payment sessions and the actions of terminals that events of the recording are about, as the last event of
 * each says: those that requests of the recording name, and can read.
 * @param isOwn whether a request was sent with the secret key
 */
export function finalStates(trace: Trace, isOwn: (headers: Record<string, string>) => boolean): FinalState[] {
  const headersOf = firstHeaders(trace, isOwn);
  const states = new Map<string, FinalState>();
  for (const item of trace.items) {
    if (item.kind !== 'output' || item.entry.kind !== 'event') continue;
    const { detail } = item.entry;
    if (checkStateEvent(detail).length > 0) continue;
    const { data } = detail as StateEvent;
    const state = stateOf(data);
    const headers = state && headersOf.get(data.id);
    if (headers) states.set(state.path, { ...state, headers });
  }
  return [...states.values()];
}

function stateOf({
  id,
  status,
  refundedAmount,
  action,
}: StateEvent['data']): Omit<FinalState, 'headers'> | undefined {
  if (id.startsWith(ID_FORMS.paymentSession.prefix) && status !== undefined)
    return {
      path: `/v1/payment-sessions/${id}`,
      expected: { status, ...(refundedAmount !== undefined && { refundedAmount }) },
    };
  if (id.startsWith(ID_FORMS.terminal.prefix) && action?.status !== undefined)
    return { path: `/v1/in-person/terminals/${id}`, expected: { action: { status: action.status } } };
  return undefined;
}

/**
 * Returns the headers of the first request of the secret key that has an id in its path or its reply, by id: of the objects
 * that no such request deleted.
 */
function firstHeaders(
  { items }: Trace,
  isOwn: (headers: Record<string, string>) => boolean,
): ReadonlyMap<string, Record<string, string>> {
  const calls = new Map<number, TraceCall>();
  const headersOf = new Map<string, Record<string, string>>();
  const deleted = new Set<string>();
  for (const item of items) {
    if (item.kind === 'call') calls.set(item.seq, item);
    if (item.kind !== 'reply' || item.status !== 200) continue;
    const { url, method, headers } = calls.get(item.call)!;
    if (!isOwn(headers) || !url.startsWith('/v1/')) continue;
    for (const id of [...tokensIn(url), ...textsIn(item.body)].filter(isToken)) {
      if (method === 'DELETE') deleted.add(id);
      if (!headersOf.has(id)) headersOf.set(id, headers);
    }
  }
  for (const id of deleted) headersOf.delete(id);
  return headersOf;
}

const EXPECTED_MEMBERS = ['status', 'code', 'lastError', 'eventType'];
// What a payment does not need, such as a receipt of the point of sale.
const NOT_NEEDED = 'NotRequired';
const AMOUNT = /^amount$|Amount$/;

/** Returns what a test expects of a reply: its status, and from its body the statuses, errors and amounts of objects. */
export function expectedOf({ status, body }: Pick<TraceReply, 'status' | 'body'>): object {
  const members = body && 'json' in body ? expectedMembers(body.json) : undefined;
  return { status, ...(members !== undefined && { body: members }) };
}

/** Returns undefined when there is none. Lists are left out: what else is in a sandbox may change. */
function expectedMembers(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (isExpected(name, inner)) return [[name, inner]];
    const innerMembers = expectedMembers(inner);
    return innerMembers === undefined ? [] : [[name, innerMembers]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function isExpected(name: string, value: unknown): boolean {
  if (AMOUNT.test(name)) return typeof value === 'number';
  return (
    EXPECTED_MEMBERS.includes(name) &&
    typeof value === 'string' &&
    value !== NOT_NEEDED &&
    !value.includes('{{')
  );
}
