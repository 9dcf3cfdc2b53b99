import type { TimelineEntry } from '../../../../server/dashboard/view.ts';

/** An action, or an object that no action is about, of which machines stepped. */
export interface TimelineSubject {
  id: string;
  words: string;
}

const KINDS: Record<string, string> = {
  tmlact: 'Action',
  ps: 'Payment session',
  sub: 'Subscription',
  dis: 'Dispute',
  po: 'Payout',
};

/** In the order in which they first stepped, numbered where there are several of a kind. */
export function subjectsOf(entries: readonly TimelineEntry[]): TimelineSubject[] {
  const ids = new Set(
    entries.flatMap(({ step, actionId, objectId }) => (step ? (actionId ?? objectId ?? []) : [])),
  );
  const seen = new Map<string, number>();
  return [...ids].map((id) => {
    const prefix = id.split('_')[0]!;
    const number = (seen.get(prefix) ?? 0) + 1;
    seen.set(prefix, number);
    return { id, words: `${KINDS[prefix] ?? prefix} ${number}` };
  });
}

export function concerning(entries: readonly TimelineEntry[], id: string): TimelineEntry[] {
  return entries.filter(({ actionId, objectId }) => actionId === id || objectId === id);
}
