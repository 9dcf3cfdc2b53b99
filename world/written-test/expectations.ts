import type { TraceReply } from '../../server/traces/trace-item.schema.ts';

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
