import { createHmac } from 'node:crypto';
import type { Currency } from '../../../protocol/money.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { IBAN_LENGTHS, problemOfIban } from './iban.ts';
import type { AccountNumberType, BankAccount, BankAccountInput } from '../accounts/payout-method.schema.ts';

/** The format of bank accounts of a currency (docs/choices.md, Payout methods). */
interface AccountFormat {
  type: AccountNumberType;
  countries: readonly string[];
}

// Jersey, Guernsey and the Isle of Man use sort codes too.
const STERLING: AccountFormat = { type: 'UnitedKingdom', countries: ['GB', 'GG', 'IM', 'JE'] };
const DOLLAR: AccountFormat = { type: 'UnitedStates', countries: ['US'] };
// The Single Euro Payments Area ends before the Gulf and Turkey.
const EURO: AccountFormat = {
  type: 'Iban',
  countries: Object.keys(IBAN_LENGTHS).filter((country) => country !== 'AE' && country !== 'TR'),
};
const OTHER: AccountFormat = { type: 'Iban', countries: Object.keys(IBAN_LENGTHS) };

const BANK_IDS = {
  UnitedKingdom: { type: 'SortCode', digits: 6 },
  UnitedStates: { type: 'RoutingNumber', digits: 9 },
} as const;

const BANK_NAME = 'Tapbench Bank';

const FORMATS: Partial<Record<Currency, AccountFormat>> = { GBP: STERLING, USD: DOLLAR, EUR: EURO };

function accountFormatOf(currency: Currency): AccountFormat {
  return FORMATS[currency] ?? OTHER;
}

/** A valid bank account. */
interface ValidatedBankAccount {
  /** As the API shows it, without the number. */
  shown: BankAccount;
  /** Without spaces and hyphens. */
  number: string;
}

/**
 * Validates a bank account by its currency and country (Spec §2.5). No refusal contains the number.
 * @throws Refusal `payout_country`, `bank_account` or `region_required`.
 */
export function validateBankAccount(
  given: BankAccountInput,
  { currency, country }: { currency: Currency; country: string },
): ValidatedBankAccount {
  const form = accountFormatOf(currency);
  if (!form.countries.includes(country)) {
    throw new Refusal('payout_country', { allowed: form.countries.join(', '), currency });
  }
  if (given.accountNumberType !== form.type)
    refuseField('accountNumberType', `must be ${form.type} for ${currency}`);
  const number = given.accountNumber.replace(/[\s-]/g, '').toUpperCase();
  const problem = problemOfNumber(number, form.type, country);
  if (problem) refuseField('accountNumber', problem);
  const { address } = given;
  if (address?.country === 'US' && !/^[A-Z]{2}$/.test(address.region ?? '')) {
    refuseField('address.region', 'must be a 2-character code for US');
  }
  return {
    number,
    shown: {
      accountNumberType: form.type,
      last4: number.slice(-4),
      ...bankIdOf(given, form.type),
      bankName: BANK_NAME,
      ...(address && { address }),
    },
  };
}

function problemOfNumber(number: string, type: AccountNumberType, country: string): string | undefined {
  switch (type) {
    case 'UnitedKingdom':
      return /^\d{8}$/.test(number) ? undefined : 'must have 8 digits';
    case 'UnitedStates':
      return /^\d{4,17}$/.test(number) ? undefined : 'must have 4 to 17 digits';
    case 'Iban':
      return problemOfIban(number, country);
  }
}

function bankIdOf(
  given: BankAccountInput,
  type: AccountNumberType,
): Pick<BankAccount, 'bankIdType' | 'bankId'> {
  if (type === 'Iban') {
    if (given.bankId !== undefined || given.bankIdType !== undefined) {
      refuseField('bankId', 'must not be given with an IBAN, which names the bank');
    }
    return { bankIdType: null };
  }
  const { type: bankIdType, digits } = BANK_IDS[type];
  if (given.bankIdType !== bankIdType) refuseField('bankIdType', `must be ${bankIdType}`);
  const bankId = (given.bankId ?? '').replace(/[\s-]/g, '');
  if (bankId.length !== digits || !/^\d+$/.test(bankId)) refuseField('bankId', `must have ${digits} digits`);
  if (bankIdType === 'RoutingNumber' && !isRoutingNumber(bankId))
    refuseField('bankId', 'has a wrong check digit');
  return { bankIdType, bankId };
}

/** Returns whether the check digit is right: the digits weighted 3, 7, 1 sum to a multiple of ten (ABA). */
function isRoutingNumber(digits: string): boolean {
  const weights = [3, 7, 1];
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * weights[place % 3]!, 0);
  return sum % 10 === 0;
}

function refuseField(field: string, problem: string): never {
  throw new Refusal('bank_account', { field, problem });
}

/** Returns a keyed digest of an account number: equal for equal accounts, so that no number is stored. */
export function accountDigestOf({ shown, number }: ValidatedBankAccount, secret: string): string {
  return createHmac('sha256', secret)
    .update(`payout method\n${shown.bankId ?? ''}\n${number}`)
    .digest('hex');
}

interface BankAccountStatus {
  status: 'Valid' | 'Invalid';
  invalidReason: string | null;
}

export const ACCOUNT_CLOSED = 'Account is closed';

const VALID: BankAccountStatus = { status: 'Valid', invalidReason: null };

/** Returns the status of a bank account in the sandbox, by its number and name (docs/choices.md, Payout methods). */
export function checkAccountStatus(number: string, displayName: string | undefined): BankAccountStatus {
  if (/^0+$/.test(number)) return { status: 'Invalid', invalidReason: 'Account does not exist' };
  return statusFromName(displayName) ?? VALID;
}

/** Returns `Invalid` for a name that asks for a closed account; undefined for any other. */
export function statusFromName(displayName: string | undefined): BankAccountStatus | undefined {
  if (!displayName?.toLowerCase().includes('invalid')) return undefined;
  return { status: 'Invalid', invalidReason: ACCOUNT_CLOSED };
}
