import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate, processingFee } from '../../../../server/api/ledger/tariff.ts';
import { property } from '../../../property.ts';

const total = (amountMinor: number) =>
  Object.values(processingFee(amountMinor)).reduce((sum, minor) => sum + minor, 0);

test('processingFee: is 1.4 % plus 20 minor units', () => {
  expect(total(1000)).toBe(34);
  expect(total(2_000_000)).toBe(28_020);
  expect(processingFee(1000)).toEqual({
    interchange: 6,
    network: 2,
    processor: 6,
    gateway: 20,
    miscPassThrough: 0,
  });
});

test('processingFee: rounds half a unit up', () => {
  expect(total(1035)).toBe(34); // 14.49
  expect(total(1036)).toBe(35); // 14.504
  expect(total(250)).toBe(24); // 3.5
});

test('processingFee: is never more than the payment', () => {
  expect(total(1)).toBe(1);
  expect(total(20)).toBe(20);
  expect(total(21)).toBe(20);
});

property([fc.nat(800_000_000)])('its parts are none below zero and come to the whole', (amountMinor) => {
  const parts = Object.values(processingFee(amountMinor));
  expect(parts.every((minor) => minor >= 0)).toBe(true);
  expect(total(amountMinor)).toBe(Math.min(amountMinor, Math.round((amountMinor * 14) / 1000) + 20));
});

const parties = ['platform', 'shop'] as const;
const fee = processingFee(1000);

test('allocate: the first party pays unless the payment says otherwise', () => {
  expect([...allocate(fee, {}, parties)]).toEqual([['platform', 34]]);
});

test('allocate: each part is charged to its named account, rounded in total', () => {
  const parts = { gateway: { bookTo: 'shop' }, network: { bookTo: 'shop' } };
  expect([...allocate(fee, parts, parties)]).toEqual([
    ['platform', 12],
    ['shop', 22],
  ]);
  expect([...allocate(fee, { ...parts, combined: { bookTo: 'shop' } }, parties)]).toEqual([['shop', 34]]);
});

test('allocate: an account without a part in the payment pays nothing', () => {
  expect([...allocate(fee, { combined: { bookTo: 'stranger' } }, parties)]).toEqual([['platform', 34]]);
});
