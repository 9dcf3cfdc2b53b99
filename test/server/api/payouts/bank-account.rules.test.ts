import { BANK_ACCOUNT } from '../../../../cli/trigger/account-paths.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Currency } from '../../../../protocol/money.ts';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import {
  validateBankAccount,
  accountDigestOf,
  checkAccountStatus,
} from '../../../../server/api/payouts/bank-account.rules.ts';
import { problemOfIban } from '../../../../server/api/payouts/iban.ts';
import type { BankAccountInput } from '../../../../server/api/accounts/payout-method.schema.ts';

const STERLING: BankAccountInput = BANK_ACCOUNT.bankAccount;
const DOLLAR: BankAccountInput = {
  accountNumberType: 'UnitedStates',
  accountNumber: '000123456789',
  bankIdType: 'RoutingNumber',
  bankId: '110000000',
};
// The examples of the registry of IBAN formats.
const IBANS: Record<string, string> = {
  IE: 'IE29AIBK93115212345678',
  DE: 'DE89370400440532013000',
  FR: 'FR1420041010050500013M02606',
  MT: 'MT84MALT011000012345MTLCAST001S',
  NO: 'NO9386011117947',
  GB: 'GB29NWBK60161331926819',
  AE: 'AE070331234567890123456',
};

const iban = (accountNumber: string): BankAccountInput => ({ accountNumberType: 'Iban', accountNumber });

function refusalOf(given: BankAccountInput, currency: Currency, country: string): string | undefined {
  try {
    validateBankAccount(given, { currency, country });
    return undefined;
  } catch (error) {
    return (error as Refusal).message;
  }
}

test(
  'validateBankAccount: each currency has its own account number types and countries',
  { tags: ['spec:2.5/country-per-currency'] },
  () => {
    expect(refusalOf(STERLING, 'GBP', 'GB')).toBeUndefined();
    expect(refusalOf({ ...STERLING, bankId: '00-00-01' }, 'GBP', 'JE')).toBeUndefined();
    expect(refusalOf(DOLLAR, 'USD', 'US')).toBeUndefined();
    for (const country of ['IE', 'DE', 'FR', 'MT', 'NO', 'GB']) {
      expect(refusalOf(iban(IBANS[country]!), 'EUR', country), country).toBeUndefined();
    }
    expect(refusalOf(iban(IBANS['AE']!), 'AED', 'AE')).toBeUndefined();
    expect(refusalOf(iban(IBANS['DE']!), 'CAD', 'DE')).toBeUndefined();

    expect(refusalOf(STERLING, 'GBP', 'FR')).toContain('country must be one of: [GB, ');
    expect(refusalOf(DOLLAR, 'USD', 'GB')).toBe('country must be one of: [US] for USD');
    expect(refusalOf(iban(IBANS['AE']!), 'EUR', 'AE')).toContain('for EUR');
    expect(refusalOf(iban(IBANS['GB']!), 'GBP', 'GB')).toBe(
      'bankAccount.accountNumberType must be UnitedKingdom for GBP',
    );
  },
);

test(
  'validateBankAccount: checks lengths, digits and bank ids, and no refusal repeats the number',
  { tags: ['spec:2.5/bank-ids'] },
  () => {
    const wrong: [BankAccountInput, Currency, string, string][] = [
      [{ ...STERLING, accountNumber: '1234567' }, 'GBP', 'GB', 'accountNumber must have 8 digits'],
      [{ ...STERLING, accountNumber: '1234567A' }, 'GBP', 'GB', 'accountNumber must have 8 digits'],
      [{ ...STERLING, bankId: '12345' }, 'GBP', 'GB', 'bankId must have 6 digits'],
      [{ ...STERLING, bankIdType: 'RoutingNumber' }, 'GBP', 'GB', 'bankIdType must be SortCode'],
      [
        { accountNumberType: 'UnitedKingdom', accountNumber: '12345678' },
        'GBP',
        'GB',
        'bankIdType must be SortCode',
      ],
      [{ ...DOLLAR, bankId: '11000000' }, 'USD', 'US', 'bankId must have 9 digits'],
      [{ ...DOLLAR, bankId: '110000001' }, 'USD', 'US', 'bankId has a wrong check digit'],
      [{ ...DOLLAR, bankId: '011000000' }, 'USD', 'US', 'bankId has a wrong check digit'],
      [{ ...DOLLAR, accountNumber: '1'.repeat(18) }, 'USD', 'US', 'accountNumber must have 4 to 17 digits'],
      [{ ...iban(IBANS['DE']!), bankId: '1' }, 'EUR', 'DE', 'bankId must not be given'],
      [iban(IBANS['DE']!), 'EUR', 'FR', 'accountNumber must be an IBAN of FR'],
      [iban('DE89370400440532013001'), 'EUR', 'DE', 'accountNumber has wrong check digits'],
      [iban(IBANS['DE']!.slice(0, -1)), 'EUR', 'DE', 'accountNumber must have 22 characters in DE'],
    ];
    for (const [given, currency, country, message] of wrong) {
      const refused = refusalOf(given, currency, country);
      expect(refused).toContain(`bankAccount.${message}`);
      expect(refused).not.toContain(given.accountNumber);
    }
  },
);

test('bank account: its last four digits and a digest are stored, and the digest alone reveals nothing', () => {
  const checked = validateBankAccount(iban('de89 3704 0044 0532 0130 00'), {
    currency: 'EUR',
    country: 'DE',
  });
  expect(checked.shown).toEqual({
    accountNumberType: 'Iban',
    last4: '3000',
    bankIdType: null,
    bankName: expect.any(String),
  });
  expect(JSON.stringify(checked.shown)).not.toContain('0532');
  const digest = accountDigestOf(checked, 'a secret');
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(accountDigestOf(checked, 'another secret')).not.toBe(digest);
});

test('checkAccountStatus: in the sandbox zeros and a certain name make an account invalid', () => {
  expect(checkAccountStatus('00000111', 'My bank')).toEqual({ status: 'Valid', invalidReason: null });
  expect(checkAccountStatus('00000000', undefined).status).toBe('Invalid');
  expect(checkAccountStatus('12345678', 'An INVALID one').status).toBe('Invalid');
});

test('problemOfIban: an IBAN with one changed character is invalid', () => {
  const changed = fc.record({
    country: fc.constantFrom(...Object.keys(IBANS)),
    at: fc.nat(),
    by: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(changed, ({ country, at, by }) => {
      const right = IBANS[country]!;
      const digits = [...right.matchAll(/\d/g)].map(({ index }) => index);
      const index = digits[at % digits.length]!;
      const digit = (Number(right[index]) + by) % 10;
      expect(problemOfIban(right, country)).toBeUndefined();
      expect(problemOfIban(right.slice(0, index) + digit + right.slice(index + 1), country)).toBeDefined();
    }),
  );
});
