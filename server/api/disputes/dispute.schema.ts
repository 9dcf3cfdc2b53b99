import {
  AmountMinor,
  Currency,
  EmailText,
  Id,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { CREATED, ObjectSchema, UPDATED } from '../../platform/http/openapi/object-schemas.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { CardLast4 } from '../../platform/http/text.schema.ts';
import { keysOf } from '../../../protocol/tables.ts';
import { DISPUTE_CATEGORIES } from '../../../protocol/value-lists.ts';

export const DisputeCategory = Type.Enum([...DISPUTE_CATEGORIES], {
  description: 'Category of the reason, which all card schemes share',
});
export type DisputeCategory = Static<typeof DisputeCategory>;

export const DisputeReason = Type.Object({
  code: Type.String({
    minLength: 1,
    maxLength: 20,
    description: 'Reason code of the card scheme, such as `13.6`',
  }),
  description: Type.String({ minLength: 1, maxLength: 250, description: 'Reason in words' }),
});

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 5000, description }));
const file = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a file with category Evidence' }),
      },
      { description },
    ),
  );

const TEXTS = {
  billingAddress: text('Billing address that the customer gave'),
  shippingAddress: text('Address that the goods were shipped to'),
  duplicateTransaction: text('Explanation of how this payment differs from the one it seems to duplicate'),
  uncategorised: text('Any other evidence or statement'),
};
const FILES = {
  proofOfDelivery: file('Proof that the customer received the goods or service'),
  customerSignature: file('Document that carries the signature of the customer'),
  receipt: file('Receipt or invoice that the customer was sent'),
  shippingConfirmation: file('Proof that the goods were shipped'),
  customerCommunication: file('Correspondence with the customer about the payment'),
  refundPolicy: file('Refund policy that the customer was shown'),
  recurringPaymentAgreement: file('Agreement of the customer to recurring payments'),
  uncategorised: file('Any other evidence'),
};
const TEXT_NAMES = keysOf(TEXTS);
const FILE_NAMES = keysOf(FILES);

/** Evidence of the account in a dispute: texts, and files that were uploaded with category Evidence. */
export const Evidence = Type.Object(
  {
    text: Type.Optional(Type.Object(TEXTS, { description: 'Evidence as text' })),
    files: Type.Optional(Type.Object(FILES, { description: 'Evidence as uploaded files' })),
  },
  { title: 'DisputeEvidence', description: 'Evidence against a dispute' },
);
export type Evidence = Static<typeof Evidence>;

export const EvidenceRemoval = Type.Object({
  text: Type.Optional(
    Type.Array(Type.Enum(TEXT_NAMES), { maxItems: 50, description: 'Names of the texts to remove' }),
  ),
  files: Type.Optional(
    Type.Array(Type.Enum(FILE_NAMES), { maxItems: 50, description: 'Names of the files to remove' }),
  ),
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

/** A payment that its cardholder charged back: Spec §4.9. */
export const DISPUTE = {
  platformId: { schema: Id('account'), column: 'platform_id', always: true, reply: 'hidden' },
  paymentSessionId: { schema: Id('paymentSession'), column: 'session_id', always: true, reply: 'hidden' },
  /** The account that bears the chargeback. */
  bearerId: { schema: Id('account'), column: 'bearer_id', always: true, reply: 'hidden' },
  amount: {
    schema: withDescription(AmountMinor, 'Disputed amount, in minor units of `currency`'),
    column: 'amount_minor',
    always: true,
  },
  currency: { schema: Currency, column: 'currency', always: true },
  status: {
    schema: Type.Enum(['Open', 'Cancelled', 'Accepted', 'Challenged', 'Lost', 'Won', 'Expired'], {
      description:
        '`Open` until the account accepts or challenges it or `respondBy` passes (`Accepted`, `Challenged`, `Expired`). A challenged dispute ends `Won` or `Lost`. `Cancelled` when the cardholder withdraws it.',
    }),
    column: 'status',
    initial: 'Open',
  },
  category: {
    schema: withDescription(DisputeCategory, 'Category of the reason, which all card schemes share'),
    column: 'category',
    always: true,
  },
  reason: {
    schema: withDescription(
      DisputeReason,
      'Reason that the cardholder gave, as the card scheme classifies it',
    ),
    column: 'reason',
    always: true,
    searched: true,
  },
  respondBy: {
    schema: Type.Integer({
      description: 'Time at which an `Open` dispute becomes `Expired`: a Unix timestamp, in seconds',
    }),
    column: 'respond_by_ms',
    instant: true,
    always: true,
  },
  recommendedEvidence: {
    reply: Type.Array(RecommendedEvidence, {
      description: 'Evidence that is likely to help for this reason',
    }),
  },
  /** As it was when the dispute was opened, like the customer. */
  paymentSession: {
    schema: Type.Object(
      {
        id: Id('paymentSession'),
        paymentType: Type.String({ description: 'Payment type of the payment session' }),
        paymentMethod: Type.Object(
          {
            card: Type.Object(
              {
                scheme: Type.String({ description: 'Card scheme' }),
                last4: CardLast4,
              },
              { description: 'Card that was charged' },
            ),
          },
          { description: 'Payment method of the payment session' },
        ),
      },
      { description: 'Payment session that is disputed' },
    ),
    column: 'payment',
    always: true,
  },
  evidence: {
    schema: Evidence,
    column: 'evidence',
    initial: {},
    reply: Type.Optional(Evidence),
    toReply: (evidence: Evidence) => (Object.keys(evidence).length > 0 ? evidence : undefined),
  },
  customer: {
    schema: Type.Object(
      {
        email: Type.Optional(EmailText('Email address of the customer')),
        id: Type.Optional(
          Type.String({
            description: 'Id of the customer; absent when the payment has only an email address',
          }),
        ),
        createdTimestamp: Type.Optional(
          withDescription(Timestamp, 'Time at which the customer was created: a Unix timestamp, in seconds'),
        ),
      },
      { description: 'Customer who paid; absent when there is none' },
    ),
    column: 'customer',
  },
  subAccount: {
    reply: Type.Optional(
      Type.Object(
        { id: Id('account') },
        { description: 'Sub account that took the payment; absent when the platform took it' },
      ),
    ),
  },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const Dispute = ObjectSchema('dispute', DISPUTE, {
  title: 'Dispute',
  description: 'A dispute of a payment by its cardholder (chargeback)',
});
export type Dispute = Static<typeof Dispute>;

export const DisputeQuery = Type.Object({ ...PageQuery.properties, ...TimeWindow });
