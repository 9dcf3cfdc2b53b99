import { Fault } from '../../../protocol/failures.ts';
import { parseSettings } from '../accounts/account-settings.ts';
import { readAccountResource } from '../accounts/account-view.ts';
import { ACCOUNT_GUARDS, accounts, lockAccount, type AccountRow } from '../accounts/account.records.ts';
import { recordPaidOut } from '../accounts/verification.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { addAmountToPayout, addAllToPayout, totalsOfPayout } from '../ledger/balance-transaction.records.ts';
import { availableOf, latestInstantOf, lockBalance } from '../ledger/balance.records.ts';
import { dayOf, midnightOf, nextBusinessDay } from '../ledger/business-days.ts';
import { balanceShort, type EntryLine } from '../ledger/ledger.ts';
import { postEntry } from '../ledger/post-entry.ts';
import { emitStep } from '../../platform/activities.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction, TransactionOptions } from '../../platform/store/store.ts';
import { bankFails } from '../../bank/bank-faults.ts';
import { ACCOUNT_CLOSED } from './bank-account.rules.ts';
import { calculatePayout } from './payout-calculation.ts';
import { payoutMethods, type PayoutMethodRow } from '../accounts/payout-method.records.ts';
import { invalidatePayoutMethod, AUTOMATIC_JOB } from './payout-methods.ts';
import { payoutStateOf, payoutStep, type PayoutEffect, type PayoutEvent } from './payout.machine.ts';
import {
  countCustomersOfPayout,
  lockPayout,
  paymentPeriodOf,
  payouts,
  toPayout,
  type PayoutRow,
} from './payout.records.ts';
import { refusePayout, payoutSchemeOf, payoutBlockOf } from './payout.rules.ts';

/** Options of a transaction that creates payouts. It locks the account before it reads. */
export const PAYOUT_GUARDS = {
  guardedBy: [...ACCOUNT_GUARDS.guardedBy, 'availableBalance', 'chargebackPayer'],
} as const satisfies TransactionOptions;

/** Kind of the job that settles a payout for the bank; its key is the payout. */
const SETTLE_JOB = 'payout.settle';

// Time until the bank settles a payout (docs/choices.md, Payouts).
const SETTLE_MS = 10_000;

/** Minor units, or the whole available balance when that is at least as much. */
type PayoutAmount = { minor: number } | { allFromMinor: number };

interface PayoutInput {
  accountId: string;
  method: PayoutMethodRow;
  scheduleType: PayoutRow['schedule_type'];
  amount: PayoutAmount;
  metadata?: Record<string, string> | undefined;
}

/** Returns the minimum payout of an account, minor units of any currency. */
function minimumPayoutOf(account: AccountRow): number {
  return parseSettings(account.settings).minimumPayoutMinor;
}

/**
 * Creates a manual payout (Spec §4.6).
 * @throws Refusal `not_found` for the payout method, and those of `refusePayout`.
 */
export async function createManualPayout(
  tx: Transaction,
  services: Services,
  accountId: string,
  request: { amount: number; currency: string; payoutMethodId: string; metadata?: Record<string, string> },
): Promise<PayoutRow> {
  const { amount: amountMinor, currency, payoutMethodId, metadata } = request;
  const row = await lockAccount(tx, accountId);
  await lockBalance(tx, services, accountId, currency);
  const method = await payoutMethods.find(tx, accountId, payoutMethodId);
  if (!method) throw new Refusal('not_found', { what: 'payout method' });
  const atMs = await latestInstantOf(tx, accountId, currency, services.clock.nowMs());
  refusePayout({
    account: await readAccountResource(tx, row),
    method,
    amountMinor,
    currency,
    minimumMinor: minimumPayoutOf(row),
    availableMinor: await availableOf(tx, accountId, currency, atMs),
  });
  const amount = { minor: amountMinor };
  const payout = await createPayout(tx, services, {
    accountId,
    method,
    scheduleType: 'Manual',
    amount,
    metadata,
  });
  if (payout) return payout;
  const availableMinor = await availableOf(tx, accountId, currency, atMs);
  throw balanceShort(availableMinor, currency);
}

/**
 * Creates a payout, posts it to the ledger, schedules its settlement and raises `Payout.created`. Returns undefined when
 * less is available, also when that became so after the caller had checked it; the caller then creates no payout.
 */
async function createPayout(
  tx: Transaction,
  services: Services,
  input: PayoutInput,
): Promise<PayoutRow | undefined> {
  const { accountId, method, scheduleType, metadata } = input;
  const { currency } = method;
  const nowMs = services.clock.nowMs();
  const id = services.ids.make('payout');
  const amountMinor = await collectBalanceTransactions(tx, services, id, input);
  if (amountMinor === undefined) return undefined;
  const taken = await paymentPeriodOf(tx, id);
  const customers = await countCustomersOfPayout(tx, id, taken ? midnightOf(taken.fromMs) : nowMs);
  const totals = await totalsOfPayout(tx, id);
  const calculation = calculatePayout(totals, { payoutAmount: amountMinor, currency }, customers);
  const { address: _address, ...bankAccount } = payoutMethods.show(method).bankAccount;
  const payout = {
    id,
    accountId,
    amount: amountMinor,
    currency,
    scheduleType,
    metadata,
    bankAccount,
    payoutCalculation: calculation,
    payoutMethodId: method.id,
    scheme: payoutSchemeOf(currency),
    takenFrom: taken && dayOf(taken.fromMs),
    takenTo: taken && dayOf(taken.toMs),
    scheduledTimestamp: nowMs,
  };
  const row = await payouts.insert(tx, payout, nowMs);
  await post(tx, services, row, { type: 'Payout', amountMinor: -amountMinor, payoutId: id });
  await services.jobs.add(tx, { kind: SETTLE_JOB, key: id, dueMs: nowMs + SETTLE_MS });
  record(tx, services, 'Payout.created', row);
  return row;
}

/**
 * Assigns balance transactions to a payout and returns their total, which is exactly its amount: an adjustment carries
 * any excess over to the next payout (docs/choices.md, Payouts). Returns undefined when less is available.
 */
async function collectBalanceTransactions(
  tx: Transaction,
  services: Services,
  payoutId: string,
  { accountId, method: { currency }, amount }: PayoutInput,
): Promise<number | undefined> {
  const nowMs = services.clock.nowMs();
  const atMs = await latestInstantOf(tx, accountId, currency, nowMs);
  const target = { accountId, currency, payoutId };
  if ('allFromMinor' in amount) return addAllToPayout(tx, target, amount.allFromMinor, atMs);
  const amountMinor = amount.minor;
  const overMinor = (await addAmountToPayout(tx, target, amountMinor, atMs)) - amountMinor;
  if (overMinor < 0) return undefined;
  if (overMinor > 0) {
    const carried: EntryLine = {
      type: 'Adjustment',
      accountId,
      currency,
      amountMinor: overMinor,
      availableMs: nowMs,
      origin: { id: payoutId, amountMinor: overMinor },
      description: `Carried over from payout ${payoutId}`,
    };
    await postEntry(tx, services, {
      lines: [{ ...carried, amountMinor: -overMinor, payoutId }, carried],
    });
  }
  return amountMinor;
}

async function post(
  tx: Transaction,
  services: Services,
  { id, account_id: accountId, amount_minor: wholeMinor, currency }: PayoutRow,
  money: Pick<EntryLine, 'type' | 'amountMinor' | 'payoutId'>,
): Promise<void> {
  const line: EntryLine = {
    ...money,
    accountId,
    currency,
    availableMs: services.clock.nowMs(),
    origin: { id, amountMinor: wholeMinor },
    description: `Payout ${id}`,
  };
  await postEntry(tx, services, { lines: [line], outside: 'bank' });
}

/** Applies an event to a payout, whose account is locked; returns undefined when the event does not apply in its status. */
export async function applyPayoutEvent(
  tx: Transaction,
  services: Services,
  row: PayoutRow,
  event: PayoutEvent,
): Promise<PayoutRow | undefined> {
  const step = payoutStep(row.status, event);
  if (!step) return undefined;
  const nowMs = services.clock.nowMs();
  const invalid = step.effects.some(({ type }) => type === 'invalidateMethod');
  const change = {
    status: step.status,
    failureReason: invalid ? ('InvalidPayoutMethod' as const) : null,
    completedTimestamp: step.status === 'Completed' ? nowMs : undefined,
  };
  const saved = await payouts.updateFrom(tx, row, change, nowMs);
  if (!saved) return undefined;
  const [from, state] = [payoutStateOf(row.status), step.state];
  emitStep(tx, services, { machineId: 'payout', objectId: row.id, event: event.type, from, state });
  await services.jobs.cancel(tx, SETTLE_JOB, row.id);
  record(tx, services, 'Payout.status_updated', saved);
  for (const { type } of step.effects) await EFFECTS[type](tx, services, saved);
  return saved;
}

const EFFECTS: Record<
  PayoutEffect,
  (tx: Transaction, services: Services, row: PayoutRow) => Promise<unknown>
> = {
  requestBankResult: (tx, { clock, jobs }, { id }) =>
    jobs.add(tx, { kind: SETTLE_JOB, key: id, dueMs: clock.nowMs() + SETTLE_MS }),
  recordPaidOut: (tx, services, { account_id: accountId, currency, amount_minor: amountMinor }) =>
    recordPaidOut(tx, services, accountId, { currency, amountMinor }),
  returnToBalance: (tx, services, row) =>
    post(tx, services, row, { type: 'PayoutReversal', amountMinor: row.amount_minor }),
  async invalidateMethod(tx, services, { account_id: accountId, method_id: methodId }) {
    const method = await payoutMethods.find(tx, accountId, methodId);
    if (method?.status === 'Valid') await invalidatePayoutMethod(tx, services, method, ACCOUNT_CLOSED);
  },
};

function record(tx: Transaction, services: Services, type: EventType, row: PayoutRow): void {
  raise(tx, services, { type, accountId: row.account_id, data: toPayout(row) });
}

/** Registers the job that settles payouts for the bank: paid if the payout method is `Valid`, refused otherwise. */
export function registerPayoutJobs(services: Services): void {
  const { jobs, store } = services;
  jobs.handle(SETTLE_JOB, (job) =>
    store.transaction(async (tx) => {
      // The account before the job, in the order of a request that cancels the job.
      const row = await lockPayout(tx, job.key);
      if (!row) {
        // A reset at another server has deleted both: then this is JobClaimLost.
        await jobs.finish(tx, job, 'done');
        throw new Fault('internal', 'a job about a payout that is not there');
      }
      await jobs.finish(tx, job, 'done');
      const method = await payoutMethods.find(tx, row.account_id, row.method_id);
      const isPaid =
        method?.status === 'Valid' && !bankFails(tx, services, { at: 'bank.payout', ids: [row.id] });
      const type = isPaid ? 'bank.paid' : 'bank.refused';
      await applyPayoutEvent(tx, services, row, { type });
    }, ACCOUNT_GUARDS),
  );
}

/** Registers the job of automatic payouts; it ends for an account without payout methods (docs/choices.md, Payouts). */
export function registerAutomaticPayoutJobs(services: Services): void {
  const { clock, jobs, store } = services;
  jobs.handle(AUTOMATIC_JOB, (job) =>
    store.transaction(async (tx) => {
      tx.lockRow('accounts', job.key);
      const methods = await payoutMethods.allOf(tx, job.key);
      const again = { again: nextBusinessDay(clock.nowMs()) };
      await jobs.finish(tx, job, methods.length === 0 ? 'done' : again);
      await payOutAll(tx, services, job.key);
    }, PAYOUT_GUARDS),
  );
}

/** Pays out each currency with a `Valid` payout method whose available balance is at least the minimum. */
async function payOutAll(tx: Transaction, services: Services, accountId: string): Promise<void> {
  const row = await accounts.findAny(tx, accountId);
  if (row?.payout_schedule !== 'Automatic' || payoutBlockOf(await readAccountResource(tx, row))) return;
  const minimumMinor = Math.max(minimumPayoutOf(row), 1);
  for (const method of await payoutMethods.allOf(tx, accountId)) {
    if (method.status !== 'Valid') continue;
    await lockBalance(tx, services, accountId, method.currency);
    const atMs = await latestInstantOf(tx, accountId, method.currency, services.clock.nowMs());
    const availableMinor = await availableOf(tx, accountId, method.currency, atMs);
    if (availableMinor < minimumMinor) continue;
    const amount = { allFromMinor: minimumMinor };
    await createPayout(tx, services, { accountId, method, scheduleType: 'Automatic', amount });
  }
}
