import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { transferLines, createPostings } from '../../../../server/api/ledger/double-entry.ts';
import type { EntryLine } from '../../../../server/api/ledger/ledger.ts';
import { property } from '../../../property.ts';

const line = (accountId: string, amountMinor: number, more: Partial<EntryLine> = {}): EntryLine => ({
  type: 'Adjustment',
  accountId,
  amountMinor,
  currency: 'GBP',
  origin: { id: 'txn_1', amountMinor },
  availableMs: 0,
  ...more,
});

const shown = (...lines: EntryLine[]) =>
  createPostings({ lines }).map(
    ({ holder, currency, amountMinor }) => `${holder} ${amountMinor} ${currency}`,
  );

test('double entry: a payment comes from the card schemes; its fee goes to the processor', () => {
  const lines = [line('shop', 1000, { feeMinor: 34 })];
  expect(createPostings({ lines, outside: 'cards' })).toEqual([
    { holder: 'shop', currency: 'GBP', amountMinor: 966 },
    { holder: 'outside:processor', currency: 'GBP', amountMinor: 34 },
    { holder: 'outside:cards', currency: 'GBP', amountMinor: -1000 },
  ]);
});

test('double entry: internal amounts balance without an external account', () => {
  expect(shown(line('shop', -500), line('platform', 500))).toEqual(['shop -500 GBP', 'platform 500 GBP']);
});

test('double entry: several amounts of one account are one posting, and none when they sum to zero', () => {
  expect(shown(line('shop', -500), line('shop', 200), line('platform', 300))).toEqual([
    'shop -300 GBP',
    'platform 300 GBP',
  ]);
  expect(shown(line('shop', -500), line('shop', 500))).toEqual([]);
});

test('double entry: throws when an entry is off balance in one of its currencies', () => {
  const across = [line('shop', -500), line('platform', 500, { currency: 'EUR' })];
  expect(() => createPostings({ lines: across })).toThrow(
    new Fault('internal', 'a ledger entry is off balance by -500 GBP'),
  );
  expect(() => shown(line('shop', 1))).toThrow(Fault);
});

test('double entry: throws for fractions of a minor unit and for an empty entry', () => {
  expect(() => createPostings({ lines: [line('shop', 0.5)], outside: 'cards' })).toThrow(Fault);
  expect(() => createPostings({ lines: [line('shop', Number.NaN)], outside: 'cards' })).toThrow(Fault);
  expect(() => createPostings({ lines: [line('shop', 2 ** 53)], outside: 'cards' })).toThrow(Fault);
  expect(() => createPostings({ lines: [line('shop', 9, { feeMinor: -1 })], outside: 'cards' })).toThrow(
    Fault,
  );
  expect(() => createPostings({ lines: [], outside: 'cards' })).toThrow(Fault);
});

test('double entry: an amount between two accounts appears on both sides', () => {
  const passage = { from: 'a', to: 'b', amountMinor: 70, originId: 'tfr_1', currency: 'GBP', availableMs: 5 };
  expect(transferLines({ out: 'TransferOut', in: 'TransferIn' }, passage)).toEqual([
    {
      type: 'TransferOut',
      accountId: 'a',
      amountMinor: -70,
      currency: 'GBP',
      availableMs: 5,
      origin: { id: 'tfr_1', amountMinor: 70, accountId: 'b' },
    },
    {
      type: 'TransferIn',
      accountId: 'b',
      amountMinor: 70,
      currency: 'GBP',
      availableMs: 5,
      origin: { id: 'tfr_1', amountMinor: 70, accountId: 'a' },
    },
  ]);
});

const anyMovement = fc
  .tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.nat(1e6),
    fc.constantFrom('GBP', 'EUR'),
  )
  .map(([accountId, minor, feeMinor, currency]) => line(accountId, minor, { feeMinor, currency }));

property([fc.array(anyMovement, { minLength: 1, maxLength: 12 })])(
  'whatever moves, what is posted comes to zero in each currency',
  (lines) => {
    const postings = createPostings({ lines, outside: 'cards' });
    for (const currency of ['GBP', 'EUR']) {
      const legs = postings.filter((posting) => posting.currency === currency);
      expect(legs.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(0);
    }
  },
);
