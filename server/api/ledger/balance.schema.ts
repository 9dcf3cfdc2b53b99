import { explained, Timestamp, Type, type Static } from '../../../protocol/schema.ts';

const Held = (description: string) =>
  Type.Object({ amount: Type.Integer({ description: 'Minor units; negative when owed' }) }, { description });

/** What an account has in one currency: Spec §4.7. */
export const Balance = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217' }),
    pending: Held('Captured and not cleared'),
    cleared: Held('Cleared and not yet available'),
    available: Held('Can be paid out, transferred and converted'),
    lastUpdatedTimestamp: explained(Timestamp, 'Epoch seconds; when the account was made, until money moves'),
  },
  { title: 'Balance' },
);
export type Balance = Static<typeof Balance>;
