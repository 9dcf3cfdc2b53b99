import { createHmac } from 'node:crypto';
import type { Currency } from '../../../protocol/money.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { IBAN_LENGTHS, problemOfIban } from './iban.ts';
import type { AccountNumberType, BankAccount, BankAccountGiven } from '../accounts/payout-method.schema.ts';

/** How bank accounts are named where a currency is at home (docs/choices.md, Payout methods). */
interface Form {
  type: AccountNumberType;
  countries: readonly string[];
}

// Jersey, Guernsey and the Isle of Man use sort codes too.
const STERLING: Form = { type: 'UnitedKingdom', countries: ['GB', 'GG', 'IM', 'JE'] };
const DOLLAR: Form = { type: 'UnitedStates', countries: ['US'] };
// The Single Euro Payments Area ends before the Gulf and Turkey.
const EURO: Form = {
  type: 'Iban',
  countries: Object.keys(IBAN_LENGTHS).filter((country) => country !== 'AE' && country !== 'TR'),
};
const ELSE: Form = { type: 'Iban', countries: Object.keys(IBAN_LENGTHS) };

const BANK_IDS = {
  UnitedKingdom: { type: 'SortCode', digits: 6 },
  UnitedStates: { type: 'RoutingNumber', digits: 9 },
} as const;

const BANK_NAME = 'Tapbench Bank';

function formOf(currency: Currency): Form {
  return { GBP: STERLING, USD: DOLLAR, EUR: EURO }[currency as string] ?? ELSE;
}

/** A bank account that has passed, its number without blanks. */
interface CheckedAccount {
  shown: BankAccount;
  number: string;
}

/**
 * Looks at a bank account as a bank of its country would (Spec §2.5). No refusal repeats the number.
 * @throws Refusal `payout_country`, `bank_account` or `region_required`.
 */
export function checkBankAccount(
  given: BankAccountGiven,
  { currency, country }: { currency: Currency; country: string },
): CheckedAccount {
  const form = formOf(currency);
  if (!form.countries.includes(country)) {
    throw new Refusal('payout_country', { allowed: form.countries.join(', '), currency });
  }
  if (given.accountNumberType !== form.type)
    wrong('accountNumberType', `must be ${form.type} for ${currency}`);
  const number = given.accountNumber.replace(/[\s-]/g, '').toUpperCase();
  const problem = problemOfNumber(number, form.type, country);
  if (problem) wrong('accountNumber', problem);
  const { address } = given;
  if (address?.country === 'US' && !/^[A-Z]{2}$/.test(address.region ?? '')) {
    wrong('address.region', 'must be a 2-character code for US');
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
  given: BankAccountGiven,
  type: AccountNumberType,
): Pick<BankAccount, 'bankIdType' | 'bankId'> {
  if (type === 'Iban') {
    if (given.bankId !== undefined || given.bankIdType !== undefined) {
      wrong('bankId', 'must not be given with an IBAN, which names the bank');
    }
    return { bankIdType: null };
  }
  const { type: bankIdType, digits } = BANK_IDS[type];
  if (given.bankIdType !== bankIdType) wrong('bankIdType', `must be ${bankIdType}`);
  const bankId = (given.bankId ?? '').replace(/[\s-]/g, '');
  if (bankId.length !== digits || !/^\d+$/.test(bankId)) wrong('bankId', `must have ${digits} digits`);
  if (bankIdType === 'RoutingNumber' && !isRoutingNumber(bankId)) wrong('bankId', 'has a wrong check digit');
  return { bankIdType, bankId };
}

/** The nine digits, weighed 3, 7 and 1 in turn, come to a multiple of ten (ABA routing number). */
function isRoutingNumber(digits: string): boolean {
  const weights = [3, 7, 1];
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * weights[place % 3]!, 0);
  return sum % 10 === 0;
}

function wrong(field: string, problem: string): never {
  throw new Refusal('bank_account', { field, problem });
}

/** Tells whether two accounts are the same without keeping either number; of no use without the secret. */
export function digestOf({ shown, number }: CheckedAccount, secret: string): string {
  return createHmac('sha256', secret)
    .update(`payout method\n${shown.bankId ?? ''}\n${number}`)
    .digest('hex');
}

interface Validity {
  status: 'Valid' | 'Invalid';
  invalidReason: string | null;
}

export const ACCOUNT_CLOSED = 'Account is closed';

const VALID: Validity = { status: 'Valid', invalidReason: null };

/** What the bank says to an account in the sandbox (docs/choices.md, Payout methods). */
export function validityOf(number: string, displayName: string | undefined): Validity {
  if (/^0+$/.test(number)) return { status: 'Invalid', invalidReason: 'Account does not exist' };
  return validityByName(displayName) ?? VALID;
}

/** A name can ask for an account that its bank has closed. */
export function validityByName(displayName: string | undefined): Validity | undefined {
  if (!displayName?.toLowerCase().includes('invalid')) return undefined;
  return { status: 'Invalid', invalidReason: ACCOUNT_CLOSED };
}
