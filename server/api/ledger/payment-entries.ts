import { Fault } from '../../../protocol/failures.ts';
import { readAccount } from '../accounts/account.records.ts';
import { raise } from '../webhooks/event-log.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { lockBalance, totalOf } from './balance.records.ts';
import { availableFrom } from './business-days.ts';
import { transferLines } from './double-entry.ts';
import type { EntryLine, LedgerContext } from './ledger.ts';
import {
  addRefundedToFee,
  platformFeeRefunds,
  platformFees,
  toPlatformFee,
  type NewPlatformFee,
} from './platform-fee.records.ts';
import { postEntry } from './post-entry.ts';
import { allocate, processingFee } from './tariff.ts';
import type { FeeAllocation } from './fee-allocation.schema.ts';

/** The part of a payment session that the ledger reads. */
export interface LedgerSession {
  id: string;
  account_id: string;
  currency: string;
  payment_settings: JsonText<{ platform?: { paymentFees?: FeeAllocation } }> | null;
}

/** One part of a payment that goes to another account, as `splitPaymentDetail.items` shows it; minor units. */
interface SplitShare {
  id: string;
  accountId: string;
  amount: number;
  /** The platform's part; of a refund, the part that the platform returns. */
  fee?: { amount: number };
}

export interface CapturePosting {
  session: LedgerSession;
  /** The capture. */
  transactionId: string;
  amountMinor: number;
  /** The platform's fee; 0 for none. */
  platformFeeMinor: number;
  splits: readonly SplitShare[];
  /** Who pays for the processing, where the capture says other than its session. */
  paymentFees?: FeeAllocation;
}

export interface RefundPosting {
  session: LedgerSession;
  /** The refund. */
  transactionId: string;
  /** The capture that is refunded. What of it is not available yet is taken before what is. */
  capture: { id: string; created_ms: number };
  amountMinor: number;
  /** The refunded part of the platform's fee; 0 for none. */
  platformFeeMinor: number;
  /** The refunded part of each split. */
  splits: readonly SplitShare[];
  reason?: string | null;
}

interface ChargebackPosting {
  session: LedgerSession;
  /** The chargeback, or its reversal. */
  transactionId: string;
  amountMinor: number;
}

/** Returns the members that all lines of a payment have in common. */
const commonOf = ({ id, currency }: LedgerSession, availableMs: number) => ({
  currency,
  availableMs,
  description: `Payment ${id}`,
});

async function platformOf(tx: Transaction, accountId: string): Promise<string> {
  return (await readAccount(tx, accountId))?.platformId ?? accountId;
}

/**
 * Posts a capture: credits the payment to its account, transfers the platform's fee and the splits, and charges the
 * processing fee to the platform or the accounts that the payment names (docs/choices.md, Processing fees). Available
 * after two business days.
 */
export async function postCapture(
  tx: Transaction,
  services: LedgerContext,
  posting: CapturePosting,
): Promise<void> {
  const { session, transactionId, amountMinor, splits } = posting;
  const accountId = session.account_id;
  const platformId = await platformOf(tx, accountId);
  const common = commonOf(session, availableFrom(services.clock.nowMs()));
  const origin = { id: transactionId, amountMinor };
  const costs = allocate(processingFee(amountMinor), allocationOf(posting), [
    platformId,
    accountId,
    ...splits.map((split) => split.accountId),
  ]);

  const lines: EntryLine[] = [
    { ...common, type: 'TransactionCapture', accountId, amountMinor, origin, ...costOf(costs, accountId) },
  ];
  for (const split of splits) {
    const transfer = { ...common, from: accountId, to: split.accountId, amountMinor: split.amount };
    lines.push(...transferLines('SplitPayment', { ...transfer, originId: split.id }));
  }
  const fees = feesOf(services, posting, platformId);
  for (const fee of fees) {
    const transfer = { ...common, from: fee.fromAccountId, to: platformId, amountMinor: fee.amount };
    const [paid, collected] = transferLines('PlatformFee', { ...transfer, originId: fee.id });
    // Out of the fee that it collected the platform pays what it has to pay for the processing.
    const cost = costOf(costs, platformId);
    fee.processingFee = cost.feeMinor ?? 0;
    lines.push(paid, { ...collected, ...cost });
  }
  for (const [payerId, feeMinor] of costs) {
    lines.push({ ...common, type: 'Adjustment', accountId: payerId, amountMinor: 0, feeMinor, origin });
  }
  await postEntry(tx, services, { lines, outside: 'cards' });
  for (const fee of fees) await recordFee(tx, services, fee);
}

function allocationOf({ session, paymentFees }: CapturePosting): FeeAllocation {
  if (paymentFees) return paymentFees;
  const settings = session.payment_settings === null ? {} : parseJson(session.payment_settings);
  return settings.platform?.paymentFees ?? {};
}

/** Returns the processing fee of an account and removes it from `costs`, so that it is charged once. */
function costOf(costs: Map<string, number>, accountId: string): { feeMinor?: number } {
  const feeMinor = costs.get(accountId);
  costs.delete(accountId);
  return feeMinor === undefined ? {} : { feeMinor };
}

/** Returns the platform's fees of a capture, on the payment and on its splits. */
function feesOf({ ids }: LedgerContext, posting: CapturePosting, platformId: string): NewPlatformFee[] {
  const { session, transactionId, amountMinor, platformFeeMinor, splits } = posting;
  const common = {
    accountId: platformId,
    paymentSessionId: session.id,
    captureId: transactionId,
    processingFee: 0,
    currency: session.currency,
  };
  const ofSplits = splits.map(({ id, accountId, amount, fee }) => ({
    splitId: id,
    fromAccountId: accountId,
    amount: fee?.amount ?? 0,
    paymentAmount: amount,
  }));
  const ofPayment = {
    fromAccountId: session.account_id,
    amount: platformFeeMinor,
    paymentAmount: amountMinor,
  };
  return [ofPayment, ...ofSplits]
    .filter((fee) => fee.amount > 0)
    .map((fee) => ({ id: ids.make('platformFee'), ...common, ...fee }));
}

async function recordFee(tx: Transaction, services: LedgerContext, fee: NewPlatformFee): Promise<void> {
  const data = toPlatformFee(await platformFees.insert(tx, fee, services.clock.nowMs()));
  raise(tx, services, { type: 'PlatformFee.created', accountId: fee.accountId, data });
}

/**
 * Posts a refund: debits the account of the payment, and credits it with the refunded platform fee and splits.
 * Processing fees are not refunded.
 */
export async function postRefund(
  tx: Transaction,
  services: LedgerContext,
  posting: RefundPosting,
): Promise<void> {
  const { session, transactionId, capture, amountMinor, platformFeeMinor, splits } = posting;
  const accountId = session.account_id;
  const common = commonOf(session, availableFrom(capture.created_ms));
  const origin = { id: transactionId, amountMinor };
  const lines: EntryLine[] = [
    { ...common, type: 'TransactionRefund', accountId, amountMinor: -amountMinor, origin },
  ];
  for (const split of splits) {
    const transfer = { ...common, from: split.accountId, to: accountId, amountMinor: split.amount };
    lines.push(...transferLines('SplitPaymentRefund', { ...transfer, originId: split.id }));
  }
  const feesBack = [
    { splitId: null, amountMinor: platformFeeMinor },
    ...splits.map(({ id, fee }) => ({ splitId: id, amountMinor: fee?.amount ?? 0 })),
  ].filter((fee) => fee.amountMinor > 0);
  for (const fee of feesBack) {
    const { id: originId, platformId, toAccountId } = await recordFeeRefund(tx, services, posting, fee);
    const transfer = { ...common, from: platformId, to: toAccountId, amountMinor: fee.amountMinor };
    lines.push(...transferLines('PlatformFeeRefund', { ...transfer, originId }));
  }
  await postEntry(tx, services, { lines, outside: 'cards' });
}

async function recordFeeRefund(
  tx: Transaction,
  services: LedgerContext,
  { capture, session: { currency }, reason = null }: RefundPosting,
  { splitId, amountMinor }: { splitId: string | null; amountMinor: number },
): Promise<{ id: string; platformId: string; toAccountId: string }> {
  const nowMs = services.clock.nowMs();
  const fee = await addRefundedToFee(tx, { captureId: capture.id, splitId }, amountMinor, nowMs);
  if (!fee) throw new Fault('internal', 'a platform fee did not allow that much to be given back');
  const id = services.ids.make('platformFeeRefund');
  const refund = { id, platformFeeId: fee.id, amount: amountMinor, currency, reason };
  await platformFeeRefunds.insert(tx, refund, nowMs);
  const data = toPlatformFee(fee);
  raise(tx, services, { type: 'PlatformFee.refunded', accountId: fee.account_id, data });
  return { id, platformId: fee.account_id, toAccountId: fee.from_account_id };
}

/**
 * Posts a chargeback and returns who bears it: the account of the payment, or its platform when that account's balance
 * is too low (docs/choices.md, Chargebacks). The reversal needs the same bearer.
 */
export async function postChargeback(
  tx: Transaction,
  services: LedgerContext,
  posting: ChargebackPosting,
): Promise<{ bearerId: string }> {
  const { session, amountMinor } = posting;
  const accountId = session.account_id;
  await lockBalance(tx, services, accountId, session.currency);
  const hasMinor = await totalOf(tx, accountId, session.currency, services.clock.nowMs());
  const bearerId = hasMinor >= amountMinor ? accountId : await platformOf(tx, accountId);
  const types = { own: 'TransactionChargeback', platform: 'PlatformChargeback' } as const;
  await postCharge(tx, services, { ...posting, bearerId }, types, -amountMinor);
  return { bearerId };
}

/** Posts the reversal of a chargeback, to the account that bore it. */
export async function postChargebackReversal(
  tx: Transaction,
  services: LedgerContext,
  posting: ChargebackPosting & { bearerId: string },
): Promise<void> {
  const types = {
    own: 'TransactionChargebackReversal',
    platform: 'PlatformChargebackReversal',
  } as const;
  await postCharge(tx, services, posting, types, posting.amountMinor);
}

async function postCharge(
  tx: Transaction,
  services: LedgerContext,
  { session, transactionId, amountMinor, bearerId }: ChargebackPosting & { bearerId: string },
  types: { own: EntryLine['type']; platform: EntryLine['type'] },
  signedMinor: number,
): Promise<void> {
  const own = bearerId === session.account_id;
  const line: EntryLine = {
    ...commonOf(session, services.clock.nowMs()),
    type: own ? types.own : types.platform,
    accountId: bearerId,
    amountMinor: signedMinor,
    origin: { id: transactionId, amountMinor, ...(!own && { accountId: session.account_id }) },
  };
  await postEntry(tx, services, { lines: [line], outside: 'cards' });
}
