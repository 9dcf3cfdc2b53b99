import { AmountMinor, Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.schema.ts';

export const DisputeCategory = Type.Enum([
  'Fraudulent',
  'Authorization',
  'ProcessingError',
  'CardholderDispute',
  'General',
]);
export type DisputeCategory = Static<typeof DisputeCategory>;

export const DisputeReason = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 20, description: 'As the card scheme counts them' }),
  description: Type.String({ minLength: 1, maxLength: 250 }),
});

const TEXTS = ['billingAddress', 'shippingAddress', 'duplicateTransaction', 'uncategorised'] as const;
export type EvidenceText = (typeof TEXTS)[number];
const FILES = [
  'proofOfDelivery',
  'customerSignature',
  'receipt',
  'shippingConfirmation',
  'customerCommunication',
  'refundPolicy',
  'recurringPaymentAgreement',
  'uncategorised',
] as const;
export type EvidenceFile = (typeof FILES)[number];

function members<Name extends string, T>(names: readonly Name[], schema: T): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, T>;
}

const Text = Type.Optional(Type.String({ minLength: 1, maxLength: 5000 }));
const FileNamed = Type.Optional(Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }));

/** What speaks for the account: texts, and files that were uploaded before with category Evidence. */
export const Evidence = Type.Object(
  {
    text: Type.Optional(Type.Object(members(TEXTS, Text))),
    files: Type.Optional(Type.Object(members(FILES, FileNamed))),
  },
  { title: 'DisputeEvidence' },
);
export type Evidence = Static<typeof Evidence>;

export const EvidenceRemoval = Type.Object({
  text: Type.Optional(Type.Array(Type.Enum([...TEXTS]), { maxItems: 50 })),
  files: Type.Optional(Type.Array(Type.Enum([...FILES]), { maxItems: 50 })),
});
export type EvidenceRemoval = Static<typeof EvidenceRemoval>;

const RecommendedEvidence = Type.Enum([
  'ProofOfDelivery',
  'BillingAddress',
  'ShippingAddress',
  'DuplicateTransaction',
  'CustomerSignature',
  'Receipt',
  'ShippingConfirmation',
  'CustomerCommunication',
  'RefundPolicy',
  'CancellationPolicy',
  'RecurringPaymentAgreement',
  'Uncategorised',
]);
export type RecommendedEvidence = Static<typeof RecommendedEvidence>;

/** A payment that its cardholder took back: Spec §4.9. */
export const Dispute = Type.Object(
  {
    id: Id('dispute'),
    amount: AmountMinor,
    currency: Type.String({ description: 'ISO 4217' }),
    status: Type.Enum(['Open', 'Cancelled', 'Accepted', 'Challenged', 'Lost', 'Won', 'Expired']),
    category: DisputeCategory,
    reason: DisputeReason,
    respondBy: Type.Integer({ description: 'Epoch seconds: a dispute still Open then is Expired' }),
    recommendedEvidence: Type.Array(RecommendedEvidence),
    paymentSession: Type.Object({
      id: Id('paymentSession'),
      paymentType: Type.String(),
      paymentMethod: Type.Object({
        card: Type.Object({ scheme: Type.String(), last4: Type.String() }),
      }),
    }),
    evidence: Type.Optional(Evidence),
    customer: Type.Optional(
      Type.Object({
        email: Type.Optional(Type.String()),
        id: Type.Optional(Type.String()),
        createdTimestamp: Type.Optional(Timestamp),
      }),
    ),
    subAccount: Type.Optional(Type.Object({ id: Id('account') })),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Dispute' },
);
export type Dispute = Static<typeof Dispute>;

export const DisputeQuery = Type.Object({ ...PageQuery.properties, ...TimeWindow });
