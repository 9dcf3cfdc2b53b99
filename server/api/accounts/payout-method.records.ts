import { toTimestamp } from '../../../protocol/clock.ts';
import { withNullLines } from './address.schema.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, SqlValue, Transaction } from '../../platform/store/store.ts';
import type { BankAccount, PayoutMethod, PayoutMethodVerification } from './payout-method.schema.ts';

export interface PayoutMethodRow extends Row {
  id: string;
  account_id: string;
  type: PayoutMethod['type'];
  display_name: string | null;
  status: PayoutMethod['status'];
  invalid_reason: string | null;
  currency: string;
  country: string;
  /** JSON of BankAccount. */
  bank_account: JsonText<Omit<BankAccount, 'bankIdType'>>;
  number_digest: string;
  /** Null until one was set. */
  verification: JsonText<PayoutMethodVerification> | null;
  deleted: number;
  created_ms: number;
  updated_ms: number;
}

/** The part of a payout method that can change. */
export interface PayoutMethodState {
  displayName: string | null;
  status: PayoutMethod['status'];
  invalidReason: string | null;
  bankAccount: BankAccount;
  numberDigest: string;
  verification?: PayoutMethodVerification | undefined;
}

interface NewPayoutMethod extends PayoutMethodState {
  id: string;
  accountId: string;
  currency: string;
  country: string;
}

/** Returns a payout method as the API shows it. */
export function toPayoutMethod(row: PayoutMethodRow): PayoutMethod {
  const bankAccount = bankAccountOf(row);
  const { address } = bankAccount;
  return {
    id: row.id,
    type: row.type,
    ...(row.display_name !== null && { displayName: row.display_name }),
    status: row.status,
    invalidReason: row.invalid_reason,
    verification: row.verification === null ? { status: 'NotSupported' } : parseJson(row.verification),
    currency: row.currency,
    countryCode: row.country,
    bankAccount: { ...bankAccount, ...(address && { address: withNullLines(address) }) },
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

/** Parses the bank account of a payout method; older rows with an IBAN have no `bankIdType`. */
export function bankAccountOf(row: PayoutMethodRow): BankAccount {
  return { bankIdType: null, ...parseJson(row.bank_account) };
}

/** Returns the part of a payout method that can change. */
export function payoutMethodStateOf(row: PayoutMethodRow): PayoutMethodState {
  return {
    displayName: row.display_name,
    status: row.status,
    invalidReason: row.invalid_reason,
    bankAccount: bankAccountOf(row),
    numberDigest: row.number_digest,
    verification: row.verification === null ? undefined : parseJson(row.verification),
  };
}

export const PAYOUT_METHOD_LIST = (accountId: string): PageSource => ({
  table: 'payout_methods',
  owned: { where: 'account_id = ?', parameters: [accountId] },
  shown: { where: 'deleted = 0', parameters: [] },
});

export function findPayoutMethod(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<PayoutMethodRow | undefined> {
  return queries.get<PayoutMethodRow>(
    `SELECT * FROM payout_methods WHERE id = ? AND account_id = ? AND deleted = 0`,
    id,
    accountId,
  );
}

/** Finds a payout method by id within the accounts that a condition selects. */
export function findPayoutMethodInScope(
  queries: Queries,
  scope: { where: string; parameters: SqlValue[] },
  id: string,
): Promise<PayoutMethodRow | undefined> {
  return queries.get<PayoutMethodRow>(
    `SELECT * FROM payout_methods WHERE id = ? AND deleted = 0 AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
}

/** Returns all payout methods of an account, oldest first; at most one for each currency. */
export function listPayoutMethods(queries: Queries, accountId: string): Promise<PayoutMethodRow[]> {
  return queries.all<PayoutMethodRow>(
    `SELECT * FROM payout_methods WHERE account_id = ? AND deleted = 0 ORDER BY seq`,
    accountId,
  );
}

/** Inserts a payout method; returns undefined when the account has one for this currency already. */
export function insertPayoutMethod(
  tx: Transaction,
  method: NewPayoutMethod,
  nowMs: number,
): Promise<PayoutMethodRow | undefined> {
  return tx.get<PayoutMethodRow>(
    `INSERT INTO payout_methods (id, account_id, type, display_name, status, invalid_reason, currency, country,
       bank_account, number_digest, created_ms, updated_ms)
     VALUES (?, ?, 'BankAccount', ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *`,
    method.id,
    method.accountId,
    method.displayName,
    method.status,
    method.invalidReason,
    method.currency,
    method.country,
    JSON.stringify(method.bankAccount),
    method.numberDigest,
    nowMs,
    nowMs,
  );
}

export async function savePayoutMethod(
  tx: Transaction,
  id: string,
  state: PayoutMethodState,
  nowMs: number,
): Promise<PayoutMethodRow> {
  const row = await tx.get<PayoutMethodRow>(
    `UPDATE payout_methods SET display_name = ?, status = ?, invalid_reason = ?, bank_account = ?,
       number_digest = ?, verification = ?, updated_ms = ? WHERE id = ? RETURNING *`,
    state.displayName,
    state.status,
    state.invalidReason,
    JSON.stringify(state.bankAccount),
    state.numberDigest,
    state.verification ? JSON.stringify(state.verification) : null,
    nowMs,
    id,
  );
  return row!;
}

export async function deletePayoutMethod(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.run(`UPDATE payout_methods SET deleted = 1, updated_ms = ? WHERE id = ?`, nowMs, id);
}
