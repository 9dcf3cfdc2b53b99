import { expect, test } from 'vitest';
import { MAGIC_DECLINES } from '../../../../protocol/test-cards.ts';
import { decide, type AuthorisationRequest } from '../../../../server/bank/issuer/issuer.ts';

const REQUEST: AuthorisationRequest = {
  actionId: 'tmlact_01J9Z6P1A2B3C4D5E6F7G8H9JK_01J9Z6P1A2B3C4D5E6F7G8H9JM',
  amountMinor: 1000,
  card: {
    scheme: 'Visa',
    bin: '401200',
    last4: '0085',
    expiryMonth: '06',
    expiryYear: '2030',
    entryMode: 'Contactless',
  },
  verification: 'None',
  disabledSchemes: [],
  magicAmounts: true,
  nowMs: Date.UTC(2026, 0, 5),
};

function outcomeOf(change: Partial<AuthorisationRequest>): string {
  const decision = decide({ ...REQUEST, ...change });
  return decision.outcome === 'approved' ? 'approved' : decision.code;
}

test('issuer: an approval has a code of six characters, the same when the same action asks again', () => {
  const decision = decide(REQUEST);
  expect(decision).toEqual({
    outcome: 'approved',
    authorisationCode: expect.stringMatching(/^[0-9A-F]{6}$/) as string,
  });
  expect(decide(REQUEST)).toEqual(decision);
  expect(decide({ ...REQUEST, actionId: 'another' })).not.toEqual(decision);
});

test.each(Object.entries(MAGIC_DECLINES))(
  'issuer: an amount that ends in %s is declined: %s',
  (end, code) => {
    for (const thousands of [0, 1, 1999]) {
      const amountMinor = thousands * 1000 + Number(end);
      expect(outcomeOf({ amountMinor })).toBe(code);
      expect(outcomeOf({ amountMinor, magicAmounts: false })).toBe('approved');
    }
  },
);

test.each([900, 911, 1000, 90_100, 9_010])('issuer: an amount of %i is not a magic amount', (amountMinor) => {
  expect(outcomeOf({ amountMinor })).toBe('approved');
});

test('issuer: a card is valid to the last millisecond of its expiry month', () => {
  expect(outcomeOf({ nowMs: Date.UTC(2030, 6, 1) - 1 })).toBe('approved');
  expect(outcomeOf({ nowMs: Date.UTC(2030, 6, 1) })).toBe('expired_card');
  const december = { ...REQUEST.card, expiryMonth: '12', expiryYear: '2029' };
  expect(outcomeOf({ card: december, nowMs: Date.UTC(2030, 0, 1) - 1 })).toBe('approved');
  expect(outcomeOf({ card: december, nowMs: Date.UTC(2030, 0, 1) })).toBe('expired_card');
});

test('issuer: a card with a blocked PIN is declined', () => {
  expect(outcomeOf({ verification: 'PinFailed' })).toBe('security_violation');
  for (const verification of ['None', 'OfflinePin', 'OnlinePin', 'OnDevice', 'Signature']) {
    expect(outcomeOf({ verification })).toBe('approved');
  }
});

test.each([
  ['400000', '1000', 'declined_do_not_honour'],
  ['510510', '5100', 'insufficient_funds'],
  ['400000', '1001', 'approved'],
])('issuer: the card %s...%s: %s', (bin, last4, outcome) => {
  expect(outcomeOf({ card: { ...REQUEST.card, bin, last4 } })).toBe(outcome);
});

test('issuer: a scheme that the merchant does not accept is declined before anything else is checked', () => {
  const change = { disabledSchemes: ['Visa', 'Amex'], amountMinor: 1901 };
  expect(outcomeOf(change)).toBe('payment_method_option_visa_disabled');
  expect(outcomeOf({ ...change, card: { ...REQUEST.card, scheme: 'Amex' } })).toBe(
    'payment_method_option_amex_disabled',
  );
  expect(outcomeOf({ ...change, card: { ...REQUEST.card, scheme: 'Mastercard' } })).toBe(
    'insufficient_funds',
  );
});
