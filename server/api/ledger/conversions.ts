import { Fault } from '../../../protocol/failures.ts';
import { findAccount } from '../accounts/account.records.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import type { Job } from '../../platform/scheduler/jobs.ts';
import { valueWithoutExtensions } from '../../platform/http/extensions.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { availableOf, lockBalance } from './balance.records.ts';
import { conversions, toConversion, type ConversionRow, type NewConversion } from './conversion.records.ts';
import { Conversion } from './conversion.schema.ts';
import {
  nextOpening,
  quoteConversion,
  settlementDateOf,
  settlementTimeOf,
  type Exchange,
} from './exchange.ts';
import { balanceShort, type EntryLine, type LedgerContext } from './ledger.ts';
import { postEntry } from './post-entry.ts';
import { CURRENCIES } from '../../../protocol/money.ts';
import { Refusal } from '../../platform/http/refusals.ts';

type ConversionServices = LedgerContext & Pick<Services, 'settings'>;

const PRICE_JOB = 'conversion.price';
const SETTLE_JOB = 'conversion.settle';

// How long pricing takes while the desk is open.
const PRICING_MS = 1_000;

/**
 * Creates a conversion. The sold amount leaves the balance at once; the bought amount is added at settlement.
 * @throws Refusal `balance_short` when the available balance is too low.
 */
export async function createConversion(
  tx: Transaction,
  services: ConversionServices,
  input: Omit<NewConversion, 'id'>,
): Promise<ConversionRow> {
  const { accountId, sellMinor, sellCurrency } = input;
  const nowMs = services.clock.nowMs();
  tx.lockRow('accounts', accountId);
  await lockBalance(tx, services, accountId, sellCurrency);
  const availableMinor = await availableOf(tx, accountId, sellCurrency, nowMs);
  if (availableMinor < sellMinor) throw balanceShort(availableMinor, sellCurrency);
  const id = services.ids.make('conversion');
  const row = await conversions.insert(tx, { ...input, id }, nowMs);
  await post(tx, services, row, { amountMinor: -sellMinor, currency: sellCurrency });
  await services.jobs.add(tx, { kind: PRICE_JOB, key: id, dueMs: nextOpening(nowMs + PRICING_MS) });
  await record(tx, services, 'Conversion.created', row);
  return row;
}

/** Registers the jobs that price and settle conversions. */
export function registerConversionJobs(services: ConversionServices): void {
  const { jobs, store } = services;
  const step = (
    advance: (tx: Transaction, services: ConversionServices, row: ConversionRow) => Promise<void>,
  ) => {
    return (job: Job) =>
      store.transaction(
        async (tx) => {
          tx.delayReset();
          const row = await conversions.findAny(tx, job.key);
          if (!row) {
            // A reset at another server has deleted both: then this is JobClaimLost.
            await jobs.finish(tx, job, 'done');
            throw new Fault('internal', 'a job about a conversion that is not there');
          }
          await advance(tx, services, row);
          await jobs.finish(tx, job, 'done');
        },
        { guardedBy: ['jobClaims'] },
      );
  };
  jobs.handle(PRICE_JOB, step(price));
  jobs.handle(SETTLE_JOB, step(settle));
}

async function price(tx: Transaction, services: ConversionServices, row: ConversionRow): Promise<void> {
  const nowMs = services.clock.nowMs();
  const { sell_minor: sellMinor, sell_currency: sellCurrency, buy_currency: buyCurrency } = row;
  const exchange = { sellMinor, sellCurrency, buyCurrency };
  const settledMs = settlementTimeOf(exchange, nowMs);
  const estimatedSettlementDate = settlementDateOf(exchange, nowMs);
  const terms = { ...quoteConversion(exchange), estimatedSettlementDate };
  const priced = await conversions.update(tx, row.id, terms, nowMs);
  await services.jobs.add(tx, { kind: SETTLE_JOB, key: row.id, dueMs: settledMs });
  await record(tx, services, 'Conversion.updated', priced!);
}

async function settle(tx: Transaction, services: ConversionServices, row: ConversionRow): Promise<void> {
  const feeMinor = row.fee_minor ?? 0;
  const grossMinor = (row.buy_minor ?? 0) + feeMinor;
  await post(tx, services, row, { amountMinor: grossMinor, feeMinor, currency: row.buy_currency });
  const settled = await conversions.update(tx, row.id, { status: 'Settled' }, services.clock.nowMs());
  await record(tx, services, 'Conversion.updated', settled!);
}

async function post(
  tx: Transaction,
  services: ConversionServices,
  { id, account_id: accountId, sell_currency: sold, buy_currency: bought }: ConversionRow,
  money: Pick<EntryLine, 'amountMinor' | 'feeMinor' | 'currency'>,
): Promise<void> {
  const line: EntryLine = {
    ...money,
    type: 'Adjustment',
    accountId,
    origin: { id, amountMinor: Math.abs(money.amountMinor) },
    description: `Conversion of ${sold} to ${bought}`,
    availableMs: services.clock.nowMs(),
  };
  await postEntry(tx, services, { lines: [line], outside: 'exchange' });
}

async function record(
  tx: Transaction,
  services: ConversionServices,
  type: EventType,
  row: ConversionRow,
): Promise<void> {
  const { account_id: accountId } = row;
  const account = await findAccount(tx, accountId);
  const whole = toConversion(row, account?.platformId != null);
  const data = services.settings.strict === 'on' ? valueWithoutExtensions(Conversion, whole) : whole;
  raise(tx, services, { type, accountId, data });
}

/**
 * Refuses the sale of a currency for itself, and an amount outside the limits of one payment (docs/choices.md,
 * Currencies).
 */
export function refuseExchange(
  { sellMinor, sellCurrency, buyCurrency }: Exchange,
  fields: { amount: string; currency: string },
): void {
  if (sellCurrency === buyCurrency) throw new Refusal('same_currency', { field: fields.currency });
  const { minMinor: least, maxMinor: most } = CURRENCIES[sellCurrency];
  if (sellMinor < least || sellMinor > most) {
    throw new Refusal('amount_out_of_range', { field: fields.amount, least, most, currency: sellCurrency });
  }
}

/** Refuses a conversion unless the seller has accepted the terms. */
export function refuseMissingAgreement(termAgreement: boolean): void {
  if (!termAgreement) throw new Refusal('terms_not_agreed');
}

/** Refuses while the desk is closed, when there are no rates (docs/choices.md, Conversions). */
export function refuseClosed(nowMs: number): void {
  const seconds = Math.ceil((nextOpening(nowMs) - nowMs) / 1000);
  if (seconds > 0) throw new Refusal('desk_closed', { seconds });
}
