import { expect, test } from 'vitest';
import { declineOfMagicAmount } from '../../../protocol/test-cards.ts';
import { cardholderOf, isStartCommandDropped } from '../../../server/api/in-person/actions/magic-amounts.ts';
import { SCRIPTS } from '../../../server/dashboard/page/terminal/cardholder.ts';
import {
  withEnding,
  MAGIC_AMOUNTS,
  magicAmountEffect,
} from '../../../server/dashboard/page/terminal/start-request.ts';
import { SCRIPTS as SIMULATED } from '../../../simulator/cardholder.ts';

test('terminal page: offers the magic amounts of the server, no more and no fewer', () => {
  const offered = MAGIC_AMOUNTS.map(({ digits }) => digits as number);
  const happens = (amountMinor: number) => {
    const circumstances = { amountMinor, serialNumber: 'SIM-1', settings: { magicAmounts: undefined } };
    const declined = declineOfMagicAmount(amountMinor) !== undefined;
    return declined || isStartCommandDropped(circumstances) || cardholderOf(circumstances) !== undefined;
  };
  const known = Array.from({ length: 1_000 }, (_, amountMinor) => amountMinor).filter(happens);
  expect(offered).toEqual(known);
  expect(withEnding(1742, 901)).toBe(1901);
  expect(withEnding(0, 901)).toBe(901);
  expect(magicAmountEffect(withEnding(123_456, 910))).toBe('gateway reject');
  expect(magicAmountEffect(1742)).toBe(undefined);
});

test('terminal page: offers the cardholder scripts of the simulator, no more and no fewer', () => {
  expect(SCRIPTS.map(({ script }) => script).toSorted()).toEqual(Object.keys(SIMULATED).toSorted());
});
