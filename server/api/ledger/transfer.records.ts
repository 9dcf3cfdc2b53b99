import { toTimestamp } from '../../../protocol/clock.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Transfer } from './transfer.schema.ts';

export interface TransferRow extends Row {
  id: string;
  account_id: string;
  status: Transfer['status'];
  amount_minor: number;
  currency: string;
  source_id: string | null;
  destination_id: string | null;
  reason: string | null;
  metadata: JsonText<Record<string, string>> | null;
  errors: JsonText<NonNullable<Transfer['errors']>> | null;
  created_ms: number;
  updated_ms: number;
}

export interface NewTransfer {
  id: string;
  platformId: string;
  status: Transfer['status'];
  amountMinor: number;
  currency: string;
  source?: { accountId: string };
  destination?: { accountId: string };
  reason?: string;
  metadata?: Record<string, string>;
}

/** A row as the API shows it: of its sides the one that was given. */
export function toTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    status: row.status,
    amount: row.amount_minor,
    currency: row.currency,
    ...(row.source_id !== null && { source: { accountId: row.source_id } }),
    ...(row.destination_id !== null && { destination: { accountId: row.destination_id } }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.metadata !== null && { metadata: parseJson(row.metadata) }),
    ...(row.errors !== null && { errors: parseJson(row.errors) }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const TRANSFER_LIST = (platformId: string): PageSource => ({
  table: 'transfers',
  owned: { where: 'account_id = ?', parameters: [platformId] },
});

export function findTransfer(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<TransferRow | undefined> {
  return queries.get<TransferRow>(`SELECT * FROM transfers WHERE id = ? AND account_id = ?`, id, platformId);
}

export async function insertTransfer(
  tx: Transaction,
  transfer: NewTransfer,
  nowMs: number,
): Promise<TransferRow> {
  const row = await tx.get<TransferRow>(
    `INSERT INTO transfers (id, account_id, status, amount_minor, currency, source_id, destination_id, reason,
       metadata, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    transfer.id,
    transfer.platformId,
    transfer.status,
    transfer.amountMinor,
    transfer.currency,
    transfer.source?.accountId ?? null,
    transfer.destination?.accountId ?? null,
    transfer.reason ?? null,
    transfer.metadata ? JSON.stringify(transfer.metadata) : null,
    nowMs,
    nowMs,
  );
  return row!;
}

export async function declineTransfer(
  tx: Transaction,
  id: string,
  errors: NonNullable<Transfer['errors']>,
  nowMs: number,
): Promise<TransferRow> {
  const row = await tx.get<TransferRow>(
    `UPDATE transfers SET status = 'Declined', errors = ?, updated_ms = ? WHERE id = ? RETURNING *`,
    JSON.stringify(errors),
    nowMs,
    id,
  );
  return row!;
}
