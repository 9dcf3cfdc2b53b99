import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURRENCIES, CURRENCY_CODES } from '../../../../protocol/money.ts';
import { nextOpening, quoteConversion, settlementTimeOf } from '../../../../server/api/ledger/exchange.ts';
import { property } from '../../../property.ts';

// The fifth of January 2026 is a Monday.
const day = (date: number, hour = 0, minute = 0, second = 0) => Date.UTC(2026, 0, date, hour, minute, second);

test('exchange: a price has the rate, the bought amount, and a fee of half a percent', () => {
  expect(quoteConversion({ sellMinor: 10_000, sellCurrency: 'EUR', buyCurrency: 'GBP' })).toEqual({
    rateMillionths: 865_000,
    buyMinor: 8607,
    feeMinor: 43, // 43.25
  });
  expect(quoteConversion({ sellMinor: 10_000, sellCurrency: 'GBP', buyCurrency: 'USD' })).toEqual({
    rateMillionths: 1_341_040,
    buyMinor: 13_343, // of 13410
    feeMinor: 67,
  });
});

property([fc.constantFrom(...CURRENCY_CODES), fc.constantFrom(...CURRENCY_CODES)])(
  'the least and the most of any currency bring something in any other, and not more than they are worth',
  (sellCurrency, buyCurrency) => {
    for (const sellMinor of Object.values(CURRENCIES[sellCurrency])) {
      const { buyMinor, feeMinor, rateMillionths } = quoteConversion({
        sellMinor,
        sellCurrency,
        buyCurrency,
      });
      expect(buyMinor).toBeGreaterThan(0);
      expect((buyMinor + feeMinor - 0.51) * 1e6).toBeLessThanOrEqual(sellMinor * rateMillionths);
    }
  },
);

test("exchange: before the cut-off of both currencies it settles the same day at four o'clock", () => {
  const euros = { sellCurrency: 'EUR', buyCurrency: 'GBP' } as const;
  expect(settlementTimeOf(euros, day(5, 13, 59))).toBe(day(5, 16));
  expect(settlementTimeOf(euros, day(5, 14))).toBe(day(6, 16));
  const crowns = { sellCurrency: 'EUR', buyCurrency: 'CZK' } as const;
  expect(settlementTimeOf(crowns, day(5, 6, 59))).toBe(day(5, 16));
  expect(settlementTimeOf(crowns, day(5, 7))).toBe(day(6, 16));
  const dollars = { sellCurrency: 'CAD', buyCurrency: 'CAD' } as const;
  expect(settlementTimeOf(dollars, day(5, 15, 19))).toBe(day(5, 16));
});

test('exchange: on Friday evening and at the weekend it settles on Monday', () => {
  const euros = { sellCurrency: 'EUR', buyCurrency: 'GBP' } as const;
  expect([day(9, 18), day(10, 9), day(11, 9)].map((atMs) => settlementTimeOf(euros, atMs))).toEqual(
    Array(3).fill(day(12, 16)),
  );
});

test('exchange: trading is closed for ninety seconds a day', () => {
  expect(nextOpening(day(5, 21, 59, 59))).toBe(day(5, 21, 59, 59));
  expect(nextOpening(day(5, 22))).toBe(day(5, 22, 1, 30));
  expect(nextOpening(day(5, 22, 1, 29))).toBe(day(5, 22, 1, 30));
  expect(nextOpening(day(5, 22, 1, 30))).toBe(day(5, 22, 1, 30));
});
