/** Kinds of objects with a state machine, by the prefix of their ids (Spec §2.1). */
export const OBJECT_KINDS = [
  { prefix: 'ps_', name: 'Payment session' },
  { prefix: 'sub_', name: 'Subscription' },
  { prefix: 'dsp_', name: 'Dispute' },
  { prefix: 'po_', name: 'Payout' },
  { prefix: 'ac_', name: 'Account' },
  { prefix: 'per_', name: 'Person' },
] as const;
type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Returns the kind of object that an id names; undefined for one without a state machine. */
export function kindOf(id: string): ObjectKind | undefined {
  return OBJECT_KINDS.find(({ prefix }) => id.startsWith(prefix));
}
