import type { Static } from '../../../protocol/schema.ts';
import type { Currency } from '../../../protocol/money.ts';
import { applyAccountChange } from '../accounts/verification.ts';
import { raise } from '../webhooks/event-log.ts';
import type { EventType } from '../webhooks/event-types.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { checkBankAccount, digestOf, validityByName, validityOf } from './bank-account.rules.ts';
import {
  deletePayoutMethod,
  findPayoutMethod,
  insertPayoutMethod,
  savePayoutMethod,
  showPayoutMethod,
  payoutMethodStateOf,
  type PayoutMethodState,
  type PayoutMethodRow,
} from '../accounts/payout-method.records.ts';
import { scheduleAutomatic } from './payout-schedule.ts';
import type { PayoutMethodCreate, PayoutMethodUpdate } from '../accounts/payout-method.schema.ts';

/**
 * Adds a bank account to an account, from then on paid out to by itself (Spec §4.5).
 * @throws Refusal for a bank account that is none, and for a second one of a currency.
 */
export function addPayoutMethod(
  tx: Transaction,
  services: Services,
  accountId: string,
  given: Static<typeof PayoutMethodCreate>,
): Promise<PayoutMethodRow> {
  const { ids, settings } = services;
  const { currency, country, displayName } = given;
  const checked = checkBankAccount(given.bankAccount, { currency, country });
  const method = {
    id: ids.make('payoutMethod'),
    accountId,
    currency,
    country,
    displayName: displayName ?? null,
    ...validityOf(checked.number, displayName),
    bankAccount: checked.shown,
    numberDigest: digestOf(checked, settings.pairingSecret),
  };
  return applyAccountChange(tx, services, accountId, async () => {
    const row = await insertPayoutMethod(tx, method, services.clock.nowMs());
    if (!row) throw new Refusal('payout_method_exists', { currency });
    await record(tx, services, 'PayoutMethod.created', row);
    await scheduleAutomatic(tx, services, accountId);
    return row;
  });
}

/** Changes name and bank account. An account that its bank refused stays refused; another one is looked at anew. */
export async function changePayoutMethod(
  tx: Transaction,
  services: Services,
  found: PayoutMethodRow,
  { displayName, bankAccount }: Static<typeof PayoutMethodUpdate>,
): Promise<PayoutMethodRow> {
  const row = await standing(tx, found);
  const before = payoutMethodStateOf(row);
  const named: PayoutMethodState = { ...before, displayName: displayName ?? before.displayName };
  if (!bankAccount) return save(tx, services, row, { ...named, ...validityByName(displayName) });
  const { country } = row;
  const checked = checkBankAccount(bankAccount, { currency: row.currency as Currency, country });
  const numberDigest = digestOf(checked, services.settings.pairingSecret);
  const same = numberDigest === before.numberDigest && before.status === 'Invalid';
  const validity = same ? {} : validityOf(checked.number, named.displayName ?? undefined);
  return save(tx, services, row, { ...named, ...validity, bankAccount: checked.shown, numberDigest });
}

/** The bank found out about an account. */
export function invalidatePayoutMethod(
  tx: Transaction,
  services: Services,
  row: PayoutMethodRow,
  invalidReason: string,
): Promise<PayoutMethodRow> {
  return save(tx, services, row, { ...payoutMethodStateOf(row), status: 'Invalid', invalidReason });
}

function save(
  tx: Transaction,
  services: Services,
  { id, account_id: accountId }: PayoutMethodRow,
  state: PayoutMethodState,
): Promise<PayoutMethodRow> {
  return applyAccountChange(tx, services, accountId, async () => {
    const saved = await savePayoutMethod(tx, id, state, services.clock.nowMs());
    await record(tx, services, 'PayoutMethod.updated', saved);
    return saved;
  });
}

/** Takes a bank account away, and answers what it was; a payout that is on its way to it fails. */
export async function removePayoutMethod(
  tx: Transaction,
  services: Services,
  found: PayoutMethodRow,
): Promise<PayoutMethodRow> {
  const row = await standing(tx, found);
  await applyAccountChange(tx, services, row.account_id, async () => {
    await deletePayoutMethod(tx, row.id, services.clock.nowMs());
    await record(tx, services, 'PayoutMethod.deleted', row);
  });
  return row;
}

/** A payout method as it is now, if nobody took it away meanwhile. */
async function standing(tx: Transaction, found: PayoutMethodRow): Promise<PayoutMethodRow> {
  const row = await findPayoutMethod(tx, found.account_id, found.id);
  if (!row) throw new Refusal('not_found', { what: 'payout method' });
  return row;
}

async function record(
  tx: Transaction,
  services: Services,
  type: EventType,
  row: PayoutMethodRow,
): Promise<void> {
  const { account_id: accountId } = row;
  raise(tx, services, { type, accountId, data: showPayoutMethod(row) });
}
