import {
  CountryCode,
  Currency,
  CurrencyCode,
  Nullable,
  Type,
  textOf,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import {
  CREATED,
  CreateSchema,
  ObjectSchema,
  UPDATED,
  UpdateSchema,
} from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { AccountAddress, withNullLines } from './details.schema.ts';

const AccountNumberType = Type.Enum(['UnitedKingdom', 'UnitedStates', 'Iban'], {
  description:
    'Form of the account number: `UnitedKingdom` for GBP, `UnitedStates` for USD, `Iban` for all other currencies',
});
export type AccountNumberType = Static<typeof AccountNumberType>;

const BankIdType = Type.Enum(['SortCode', 'RoutingNumber'], {
  description: 'What `bankId` identifies the bank by',
});
/** A bank account as it is given. Its number comes in here and is never shown again: Spec §2.5. */
export const BankAccountInput = Type.Object(
  {
    accountNumberType: AccountNumberType,
    accountNumber: Type.String({
      minLength: 1,
      maxLength: 50,
      description:
        'Account number: 8 digits for `UnitedKingdom`, 4 to 17 digits for `UnitedStates`, a whole IBAN for `Iban`. It is never returned.',
    }),
    bankIdType: Type.Optional(BankIdType),
    bankId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: 'Id of the bank: a sort code of 6 digits or a routing number of 9; none with an IBAN',
      }),
    ),
    address: Type.Optional(AccountAddress),
  },
  { title: 'BankAccountInput', description: 'Bank account to pay out to' },
);
export type BankAccountInput = Static<typeof BankAccountInput>;

const AccountLast4 = textOf('6819');

/** The bank account as it is stored. */
export const BankAccount = Type.Object(
  {
    accountNumberType: AccountNumberType,
    last4: AccountLast4('Last four characters of the account number'),
    bankIdType: withDescription(
      Nullable(BankIdType),
      'What `bankId` identifies the bank by; null with an IBAN',
    ),
    bankId: Type.Optional(
      Type.String({ description: 'Id of the bank: a sort code or a routing number; absent with an IBAN' }),
    ),
    bankName: Type.String({ description: 'Name of the bank' }),
    address: Type.Optional(AccountAddress),
  },
  {
    title: 'BankAccount',
    description: 'Bank account of a payout method. The whole account number is never returned.',
  },
);
export type BankAccount = Static<typeof BankAccount>;

/** Whether the name on the bank account is that of its holder (docs/choices.md, Payout methods). */
export const PayoutMethodVerification = Type.Object(
  {
    status: Type.Enum(['Unverified', 'Pending', 'NotSupported', 'Verified', 'Rejected'], {
      description:
        'Result of comparing the name on the bank account with that of its holder. `NotSupported` until a sandbox control sets another.',
    }),
    nameOnAccount: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Name of the holder, as the bank knows it' }),
    ),
    rejectionReason: Type.Optional(
      Type.Enum(['NameMismatch', 'CheckUnavailable'], {
        description: 'Reason why the verification is `Rejected`',
      }),
    ),
  },
  { description: 'Whether the name on the bank account is that of its holder' },
);

export type PayoutMethodVerification = Static<typeof PayoutMethodVerification>;

const COUNTRY = withDescription(
  CountryCode,
  'Country of the bank account, as a two-letter ISO 3166-1 alpha-2 code',
);

/** Returns a stored bank account as replies show it. Earlier versions stored no `bankIdType` with an IBAN. */
function shownBankAccount(stored: Omit<BankAccount, 'bankIdType'>): BankAccount {
  const { address } = stored;
  return { bankIdType: null, ...stored, ...(address && { address: withNullLines(address) }) };
}

/**
 * Where an account's money of one currency is paid to: Spec §2.5. Currency and country never change: another currency is
 * another payout method.
 */
export const PAYOUT_METHOD = {
  type: {
    schema: Type.Literal('BankAccount', { description: 'Type of the payout method' }),
    column: 'type',
    create: 'required',
    fixed: true,
  },
  displayName: {
    schema: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Name of the payout method, for display only',
    }),
    column: 'display_name',
    create: 'optional',
    update: 'set',
    searched: true,
  },
  status: {
    schema: Type.Enum(['Pending', 'Valid', 'Invalid'], {
      description:
        '`Pending` until it is checked, then `Valid` or `Invalid`. Payouts are made only to a `Valid` payout method.',
    }),
    column: 'status',
    always: true,
  },
  invalidReason: {
    schema: Type.String(),
    column: 'invalid_reason',
    reply: Nullable(Type.String(), 'Reason why the payout method is `Invalid`; null otherwise'),
  },
  verification: {
    schema: PayoutMethodVerification,
    column: 'verification',
    ofNull: { status: 'NotSupported' },
  },
  currency: {
    schema: Currency,
    column: 'currency',
    always: true,
    fixed: true,
    create: CurrencyCode,
  },
  /** The name of `countryCode` in requests. */
  country: { create: COUNTRY, reply: 'hidden' },
  countryCode: { schema: COUNTRY, column: 'country', always: true, fixed: true },
  bankAccount: {
    schema: BankAccount,
    column: 'bank_account',
    always: true,
    create: BankAccountInput,
    update: BankAccountInput,
    toReply: shownBankAccount,
  },
  /** Digest of the account number, which is not stored. */
  numberDigest: { schema: Type.String(), column: 'number_digest', always: true, reply: 'hidden' },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const PayoutMethod = ObjectSchema('payoutMethod', PAYOUT_METHOD, {
  title: 'PayoutMethod',
  description: 'A bank account that the balance of one currency is paid out to',
});
export type PayoutMethod = Static<typeof PayoutMethod>;

export const PayoutMethodCreate = CreateSchema(PAYOUT_METHOD);

export const PayoutMethodUpdate = UpdateSchema(PAYOUT_METHOD);
