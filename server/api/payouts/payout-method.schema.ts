import {
  CurrencyCode,
  explained,
  Id,
  Nullable,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { AccountAddress } from '../accounts/address.schema.ts';
import { CountryCode } from '../accounts/details.schema.ts';

const AccountNumberType = Type.Enum(['UnitedKingdom', 'UnitedStates', 'Iban'], {
  description: 'UnitedKingdom for GBP, UnitedStates for USD, Iban for every other currency',
});
export type AccountNumberType = Static<typeof AccountNumberType>;

const BankIdType = Type.Enum(['SortCode', 'RoutingNumber']);
const DisplayName = Type.String({ minLength: 1, maxLength: 100, description: 'Shown, and nothing else' });

/** A bank account as it is given. Its number comes in here and is never shown again: Spec §2.5. */
export const BankAccountGiven = Type.Object(
  {
    accountNumberType: AccountNumberType,
    accountNumber: Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'UnitedKingdom 8 digits, UnitedStates 4 to 17 digits, Iban a whole IBAN',
    }),
    bankIdType: Type.Optional(BankIdType),
    bankId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: 'A sort code of 6 digits or a routing number of 9; none with an IBAN',
      }),
    ),
    address: Type.Optional(AccountAddress),
  },
  { title: 'BankAccountGiven' },
);
export type BankAccountGiven = Static<typeof BankAccountGiven>;

/** What is kept of it. */
export const BankAccount = Type.Object(
  {
    accountNumberType: AccountNumberType,
    last4: Type.String({ description: 'Of the account number' }),
    bankIdType: explained(Nullable(BankIdType), 'What bankId is; null with an IBAN'),
    bankId: Type.Optional(Type.String()),
    bankName: Type.String(),
    address: Type.Optional(AccountAddress),
  },
  { title: 'BankAccount' },
);
export type BankAccount = Static<typeof BankAccount>;

/** Whether the name on the bank account was compared with that of its holder, which is not done here. */
const Verification = Type.Object(
  {
    status: Type.Enum(['Unverified', 'Pending', 'NotSupported', 'Verified', 'Rejected'], {
      description: 'NotSupported: the name on the bank account is not compared',
    }),
    nameOnAccount: Type.Optional(Type.String({ description: 'The name that the bank knows' })),
    rejectionReason: Type.Optional(
      Type.Enum(['NameMismatch', 'CheckUnavailable'], { description: 'Why it is Rejected' }),
    ),
  },
  { description: 'Whether the name on the bank account is that of its holder' },
);

/** Where an account's money of one currency is paid to: Spec §2.5. */
export const PayoutMethod = Type.Object(
  {
    id: Id('payoutMethod'),
    type: Type.Literal('BankAccount'),
    displayName: Type.Optional(DisplayName),
    status: Type.Enum(['Pending', 'Valid', 'Invalid'], { description: 'Only a Valid one is paid to' }),
    invalidReason: Nullable(Type.String()),
    verification: Verification,
    currency: Type.String({ description: 'ISO 4217' }),
    countryCode: CountryCode,
    bankAccount: BankAccount,
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'PayoutMethod' },
);
export type PayoutMethod = Static<typeof PayoutMethod>;

export const PayoutMethodCreate = Type.Object({
  type: Type.Literal('BankAccount'),
  displayName: Type.Optional(DisplayName),
  currency: CurrencyCode,
  country: CountryCode,
  bankAccount: BankAccountGiven,
});

/** Currency and country never change: another currency is another payout method. */
export const PayoutMethodUpdate = Type.Object({
  displayName: Type.Optional(DisplayName),
  bankAccount: Type.Optional(BankAccountGiven),
});
