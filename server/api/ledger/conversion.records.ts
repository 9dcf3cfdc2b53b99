import { toTimestamp } from '../../../protocol/clock.ts';
import type { Currency } from '../../../protocol/money.ts';
import type { PageSource } from '../../platform/store/page-source.ts';
import { createdInOrder } from '../../platform/http/time-window.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import type { Conversion, ConversionFees } from './conversion.schema.ts';
import type { ConversionQuote } from './exchange.ts';

export interface ConversionRow extends Row {
  id: string;
  account_id: string;
  status: Conversion['status'];
  sell_minor: number;
  sell_currency: Currency;
  buy_minor: number | null;
  buy_currency: Currency;
  fee_minor: number | null;
  rate_millionths: number | null;
  settlement_date: string | null;
  reason: string | null;
  metadata: JsonText<Record<string, string>> | null;
  created_by: JsonText<NonNullable<Conversion['createdBy']>> | null;
  created_ms: number;
  updated_ms: number;
}

export interface NewConversion {
  id: string;
  accountId: string;
  sellMinor: number;
  sellCurrency: Currency;
  buyCurrency: Currency;
  reason?: string;
  metadata?: Record<string, string>;
  createdBy: NonNullable<Conversion['createdBy']>;
}

/**
 * Returns the fees as the API shows them, `feeMinor` in minor units of the bought currency: a sub account is charged by
 * its platform, which adds nothing to the service's fee; a platform is charged by the service.
 */
export function toConversionFees(feeMinor: number, ofSubAccount: boolean): ConversionFees {
  const fee = { amount: feeMinor };
  return { total: feeMinor, ...(ofSubAccount ? { platform: { ...fee, ryftFee: fee } } : { ryft: fee }) };
}

/** Returns a conversion as the API shows it; the fields of its price are absent until it has one. */
export function toConversion(row: ConversionRow, ofSubAccount: boolean): Conversion {
  return {
    id: row.id,
    sell: { amount: row.sell_minor, currency: row.sell_currency },
    buy: {
      ...(row.buy_minor !== null && { amount: row.buy_minor }),
      currency: row.buy_currency,
      ...(row.fee_minor !== null && { fees: toConversionFees(row.fee_minor, ofSubAccount) }),
    },
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.metadata !== null && { metadata: parseJson(row.metadata) }),
    status: row.status,
    ...(row.rate_millionths !== null && { rate: row.rate_millionths / 1_000_000 }),
    ...(row.settlement_date !== null && { estimatedSettlementDate: row.settlement_date }),
    ...(row.status === 'Settled' && { settledTimestamp: toTimestamp(row.updated_ms) }),
    ...(row.created_by !== null && { createdBy: parseJson(row.created_by) }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

export const CONVERSION_LIST = (
  accountId: string,
  window: { startTimestamp?: number; endTimestamp?: number },
): PageSource => {
  const owned = { where: 'account_id = ?', parameters: [accountId] };
  return { table: 'conversions', owned, shown: createdInOrder('conversions', owned, window) };
};

export function findConversion(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<ConversionRow | undefined> {
  return queries.get<ConversionRow>(
    `SELECT * FROM conversions WHERE id = ? AND account_id = ?`,
    id,
    accountId,
  );
}

/** Finds a conversion by id alone, for the jobs that price and settle it. */
export function findAnyConversion(queries: Queries, id: string): Promise<ConversionRow | undefined> {
  return queries.get<ConversionRow>(`SELECT * FROM conversions WHERE id = ?`, id);
}

export async function insertConversion(
  tx: Transaction,
  conversion: NewConversion,
  nowMs: number,
): Promise<ConversionRow> {
  const row = await tx.get<ConversionRow>(
    `INSERT INTO conversions (id, account_id, status, sell_minor, sell_currency, buy_currency, reason, metadata,
       created_by, created_ms, updated_ms)
     VALUES (?, ?, 'InProgress', ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    conversion.id,
    conversion.accountId,
    conversion.sellMinor,
    conversion.sellCurrency,
    conversion.buyCurrency,
    conversion.reason ?? null,
    conversion.metadata ? JSON.stringify(conversion.metadata) : null,
    JSON.stringify(conversion.createdBy),
    nowMs,
    nowMs,
  );
  return row!;
}

export async function setPrice(
  tx: Transaction,
  id: string,
  { rateMillionths, buyMinor, feeMinor }: ConversionQuote,
  settlementDate: string,
  nowMs: number,
): Promise<ConversionRow> {
  const row = await tx.get<ConversionRow>(
    `UPDATE conversions SET rate_millionths = ?, buy_minor = ?, fee_minor = ?, settlement_date = ?, updated_ms = ?
     WHERE id = ? RETURNING *`,
    rateMillionths,
    buyMinor,
    feeMinor,
    settlementDate,
    nowMs,
    id,
  );
  return row!;
}

export async function markSettled(tx: Transaction, id: string, nowMs: number): Promise<ConversionRow> {
  const row = await tx.get<ConversionRow>(
    `UPDATE conversions SET status = 'Settled', updated_ms = ? WHERE id = ? RETURNING *`,
    nowMs,
    id,
  );
  return row!;
}
