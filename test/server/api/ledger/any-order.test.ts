import fc from 'fast-check';
import { expect } from 'vitest';
import { availableOf } from '../../../../server/api/ledger/balance.records.ts';
import { createConversion } from '../../../../server/api/ledger/conversions.ts';
import {
  postCapture,
  postChargeback,
  postChargebackReversal,
  postRefund,
  type LedgerSession,
} from '../../../../server/api/ledger/payment-entries.ts';
import { postEntry } from '../../../../server/api/ledger/post-entry.ts';
import { createTransfer } from '../../../../server/api/ledger/transfers.ts';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import { createLedgerFixture, type LedgerFixture } from './ledger-fixture.ts';
import { property } from '../../../property.ts';

interface Captured {
  session: LedgerSession;
  capture: { id: string; created_ms: number };
  leftMinor: number;
  feeLeftMinor: number;
  split?: { id: string; accountId: string; leftMinor: number };
}

interface Taking {
  ledger: LedgerFixture;
  captured: Captured[];
}

/** Something that a random number of a size and a random choice make happen. */
type Happening = (taking: Taking, minor: number, choice: number) => Promise<void>;

const CURRENCIES = ['GBP', 'EUR'] as const;
const happenings: Record<string, Happening> = {
  async capture({ ledger, captured }, amountMinor, choice) {
    const session = ledger.session(ledger.subId, { currency: CURRENCIES[choice % 2]! });
    const platformFeeMinor = Math.floor(amountMinor / ((choice % 7) + 1));
    const capture = { id: ledger.services.ids.make('transaction'), created_ms: ledger.clock.nowMs() };
    const posting = { session, transactionId: capture.id, amountMinor, platformFeeMinor, splits: [] };
    await ledger.within((tx, services) => postCapture(tx, services, posting));
    captured.push({ session, capture, leftMinor: amountMinor, feeLeftMinor: platformFeeMinor });
  },
  async captureSplit({ ledger, captured }, amountMinor, choice) {
    const { ids } = ledger.services;
    const session = ledger.session(ledger.platformId);
    const amount = Math.ceil(amountMinor / ((choice % 3) + 1));
    const split = {
      id: ids.make('split'),
      accountId: ledger.otherId,
      amount,
      fee: { amount: choice % amount },
    };
    const capture = { id: ids.make('transaction'), created_ms: ledger.clock.nowMs() };
    const posting = { session, transactionId: capture.id, amountMinor, platformFeeMinor: 0, splits: [split] };
    await ledger.within((tx, services) => postCapture(tx, services, posting));
    const { id, accountId } = split;
    captured.push({
      session,
      capture,
      leftMinor: amountMinor,
      feeLeftMinor: 0,
      split: { id, accountId, leftMinor: amount },
    });
  },
  async refund({ ledger, captured }, minor, choice) {
    const of = captured[choice % captured.length];
    if (!of || of.leftMinor === 0) return;
    const amountMinor = Math.min(minor, of.leftMinor);
    const platformFeeMinor = Math.min(of.feeLeftMinor, choice);
    const splits = of.split
      ? [
          {
            id: of.split.id,
            accountId: of.split.accountId,
            amount: Math.min(amountMinor, of.split.leftMinor),
          },
        ]
      : [];
    of.leftMinor -= amountMinor;
    of.feeLeftMinor -= platformFeeMinor;
    if (of.split) of.split.leftMinor -= splits[0]!.amount;
    const transactionId = ledger.services.ids.make('transaction');
    const posting = { ...of, transactionId, amountMinor, platformFeeMinor, splits };
    await ledger.within((tx, services) => postRefund(tx, services, posting));
  },
  async dispute({ ledger, captured }, amountMinor, choice) {
    const of = captured[choice % captured.length];
    if (!of) return;
    const posting = {
      session: of.session,
      transactionId: ledger.services.ids.make('transaction'),
      amountMinor,
    };
    const borne = await ledger.within((tx, services) => postChargeback(tx, services, posting));
    if (choice % 2 === 0) return;
    await ledger.within((tx, services) => postChargebackReversal(tx, services, { ...posting, ...borne }));
  },
  async transfer({ ledger }, amountMinor, choice) {
    const { platformId, subId } = ledger;
    const [fromId, toId] = choice % 2 === 0 ? [platformId, subId] : [subId, platformId];
    const currency = CURRENCIES[choice % 2]!;
    const order = { accountId: platformId, fromId, toId, amount: amountMinor, currency };
    const before = await ledger.within((tx) => availableOf(tx, fromId, currency, ledger.clock.nowMs()));
    const { status } = await ledger.within((tx, services) => createTransfer(tx, services, order));
    expect(status).toBe(before >= amountMinor ? 'Completed' : 'Declined');
  },
  async convert({ ledger }, sellMinor, choice) {
    const [sellCurrency, buyCurrency] = choice % 2 === 0 ? CURRENCIES : ([...CURRENCIES].reverse() as never);
    const { subId: accountId, platformId: id } = ledger;
    const order = { accountId, createdBy: { id }, sellMinor, sellCurrency, buyCurrency };
    try {
      await ledger.within((tx, services) => createConversion(tx, services, order));
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(Refusal);
    }
  },
  async payOut({ ledger }, minor) {
    const nowMs = ledger.clock.nowMs();
    await ledger.within(async (tx, services) => {
      const amountMinor = Math.min(minor, await availableOf(tx, ledger.subId, 'GBP', nowMs));
      if (amountMinor <= 0) return;
      const payoutId = services.ids.make('payout');
      await postEntry(tx, services, {
        outside: 'bank',
        lines: [
          {
            type: 'Payout',
            accountId: ledger.subId,
            amountMinor: -amountMinor,
            currency: 'GBP',
            origin: { id: payoutId, amountMinor },
            availableMs: nowMs,
            payoutId,
          },
        ],
      });
    });
  },
  wait: ({ ledger }, minor) => ledger.clock.advance(minor * 6_000),
};

const anyHappening = fc.record({
  name: fc.constantFrom(...Object.keys(happenings)),
  minor: fc.integer({ min: 1, max: 50_000 }),
  choice: fc.nat(1000),
});

property([fc.array(anyHappening, { minLength: 1, maxLength: 40 })], { numRuns: 40 })(
  'whatever happens in whatever order, the ledger adds up after every step',
  async (sequence) => {
    const ledger = await createLedgerFixture();
    const taking: Taking = { ledger, captured: [] };
    for (const { name, minor, choice } of sequence) {
      await happenings[name]!(taking, minor, choice);
      expect(await ledger.audit()).toEqual([]);
    }
    await ledger.clock.advance(7 * 86_400_000);
    expect(await ledger.audit()).toEqual([]);
    for (const accountId of [ledger.platformId, ledger.subId, ledger.otherId]) {
      const [pending, cleared] = await ledger.balance(accountId);
      expect([pending, cleared]).toEqual([0, 0]);
    }
  },
  120_000,
);
