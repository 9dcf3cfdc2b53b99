import {
  Currency,
  SignedAmount,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';

const Held = (description: string) =>
  Type.Object(
    {
      amount: withDescription(
        SignedAmount,
        'Amount in minor units of `currency`: negative when the account owes it',
      ),
    },
    { description },
  );

/** What an account has in one currency: Spec §4.7. */
export const Balance = Type.Object(
  {
    currency: Currency,
    pending: Held('Captured and not cleared yet'),
    cleared: Held('Cleared and not available yet'),
    available: Held('Available to pay out, transfer and convert'),
    lastUpdatedTimestamp: withDescription(
      Timestamp,
      'Time of the last change of the balance, or of the creation of the account when there was none: a Unix timestamp, in seconds',
    ),
  },
  { title: 'Balance', description: 'Balance of an account in one currency' },
);
export type Balance = Static<typeof Balance>;
