import type { Static } from '../../../protocol/schema.ts';
import type { Currency } from '../../../protocol/money.ts';
import { applyAccountChange } from '../accounts/verification.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import {
  validateBankAccount,
  accountDigestOf,
  statusFromName,
  checkAccountStatus,
} from './bank-account.rules.ts';
import {
  payoutMethods,
  type PayoutMethodChange,
  type PayoutMethodRow,
} from '../accounts/payout-method.records.ts';
import type {
  PayoutMethodCreate,
  PayoutMethodUpdate,
  PayoutMethodVerification,
} from '../accounts/payout-method.schema.ts';
import { nextBusinessDay } from '../ledger/business-days.ts';

/**
 * Adds a payout method to an account, schedules automatic payouts and raises `PayoutMethod.created` (Spec §4.5).
 * @throws Refusal `payout_country`, `bank_account` or `region_required` for an invalid bank account,
 *   `payout_method_exists` for a second one of a currency.
 */
export function addPayoutMethod(
  tx: Transaction,
  services: Services,
  accountId: string,
  given: Static<typeof PayoutMethodCreate>,
): Promise<PayoutMethodRow> {
  const { ids, settings } = services;
  const { type, currency, country, displayName } = given;
  const checked = validateBankAccount(given.bankAccount, { currency, country });
  const method = {
    id: ids.make('payoutMethod'),
    accountId,
    type,
    currency,
    countryCode: country,
    displayName,
    ...checkAccountStatus(checked.number, displayName),
    bankAccount: checked.shown,
    numberDigest: accountDigestOf(checked, settings.pairingSecret),
  };
  tx.lockRow('accounts', accountId);
  return applyAccountChange(tx, services, accountId, async () => {
    const row = await payoutMethods.insertUnlessTaken(tx, method, services.clock.nowMs());
    if (!row) throw new Refusal('payout_method_exists', { currency });
    await record(tx, services, 'PayoutMethod.created', row);
    await scheduleAutomaticPayouts(tx, services, accountId);
    return row;
  });
}

/**
 * Updates the name or the bank account of a payout method. The same bank account stays `Invalid`; another one is
 * checked.
 */
export async function changePayoutMethod(
  tx: Transaction,
  services: Services,
  found: PayoutMethodRow,
  { displayName, bankAccount }: Static<typeof PayoutMethodUpdate>,
): Promise<PayoutMethodRow> {
  const row = await lockPayoutMethod(tx, found);
  if (!bankAccount) return save(tx, services, row, { displayName, ...statusFromName(displayName) });
  const { country } = row;
  const checked = validateBankAccount(bankAccount, { currency: row.currency as Currency, country });
  const numberDigest = accountDigestOf(checked, services.settings.pairingSecret);
  const isSame = numberDigest === row.number_digest;
  const name = displayName ?? row.display_name ?? undefined;
  return save(tx, services, row, {
    displayName,
    bankAccount: checked.shown,
    ...(!(isSame && row.status === 'Invalid') && checkAccountStatus(checked.number, name)),
    // Another account may have another holder.
    ...(!isSame && { numberDigest, verification: null }),
  });
}

/** Marks a payout method as `Invalid`. */
export function invalidatePayoutMethod(
  tx: Transaction,
  services: Services,
  row: PayoutMethodRow,
  invalidReason: string,
): Promise<PayoutMethodRow> {
  return save(tx, services, row, { status: 'Invalid', invalidReason });
}

/** Sets the result of comparing the name of a payout method's holder, as its bank would. */
export async function verifyPayoutMethod(
  tx: Transaction,
  services: Services,
  found: PayoutMethodRow,
  verification: PayoutMethodVerification,
): Promise<PayoutMethodRow> {
  const row = await lockPayoutMethod(tx, found);
  return save(tx, services, row, { verification });
}

function save(
  tx: Transaction,
  services: Services,
  { id, account_id: accountId }: PayoutMethodRow,
  change: PayoutMethodChange,
): Promise<PayoutMethodRow> {
  return applyAccountChange(tx, services, accountId, async () => {
    const saved = await payoutMethods.update(tx, id, change, services.clock.nowMs());
    await record(tx, services, 'PayoutMethod.updated', saved!);
    return saved!;
  });
}

/** Deletes a payout method and returns it; payouts in progress to it fail. */
export async function removePayoutMethod(
  tx: Transaction,
  services: Services,
  found: PayoutMethodRow,
): Promise<PayoutMethodRow> {
  const row = await lockPayoutMethod(tx, found);
  await applyAccountChange(tx, services, row.account_id, async () => {
    await payoutMethods.delete(tx, row.id, services.clock.nowMs());
    await record(tx, services, 'PayoutMethod.deleted', row);
  });
  return row;
}

/**
 * Locks the account of a payout method, and returns the method as it is then.
 * @throws Refusal `not_found` when it was deleted since it was found.
 */
async function lockPayoutMethod(tx: Transaction, found: PayoutMethodRow): Promise<PayoutMethodRow> {
  tx.lockRow('accounts', found.account_id);
  const row = await payoutMethods.find(tx, found.account_id, found.id);
  if (!row) throw new Refusal('not_found', { what: 'payout method' });
  return row;
}

async function record(
  tx: Transaction,
  services: Context,
  type: EventType,
  row: PayoutMethodRow,
): Promise<void> {
  const { account_id: accountId } = row;
  raise(tx, services, { type, accountId, data: payoutMethods.show(row) });
}

/** Kind of the job that pays out an account's balance on every business day; its key is the account. */
export const AUTOMATIC_JOB = 'payout.automatic';

/** Schedules the automatic payouts of an account from the next business day; replaces an earlier schedule. */
async function scheduleAutomaticPayouts(
  tx: Transaction,
  { clock, jobs }: Context,
  accountId: string,
): Promise<void> {
  await jobs.cancel(tx, AUTOMATIC_JOB, accountId);
  await jobs.add(tx, { kind: AUTOMATIC_JOB, key: accountId, dueMs: nextBusinessDay(clock.nowMs()) });
}
