import type { TimelineEntry } from '../../../../server/dashboard/view.ts';

/** An action, or an object without an action, whose machines took steps. */
export interface TimelineSubject {
  id: string;
  label: string;
}

const KINDS: Record<string, string> = {
  tmlact: 'Action',
  ps: 'Payment session',
  sub: 'Subscription',
  dsp: 'Dispute',
  po: 'Payout',
};

/** Returns the subjects in the order of their first step, numbered by kind. */
export function subjectsOf(entries: readonly TimelineEntry[]): TimelineSubject[] {
  const ids = new Set(
    entries.flatMap(({ step, actionId, objectId }) => (step ? (actionId ?? objectId ?? []) : [])),
  );
  const seen = new Map<string, number>();
  return [...ids].map((id) => {
    const prefix = id.split('_')[0]!;
    const number = (seen.get(prefix) ?? 0) + 1;
    seen.set(prefix, number);
    return { id, label: `${KINDS[prefix] ?? prefix} ${number}` };
  });
}

/** Returns the entries of an action or object. */
export function entriesOfSubject(entries: readonly TimelineEntry[], id: string): TimelineEntry[] {
  return entries.filter(({ actionId, objectId }) => actionId === id || objectId === id);
}
