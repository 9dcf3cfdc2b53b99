import { CURRENCY_CODES, type Currency } from '../../protocol/money.ts';
import type { Queries, Row, Transaction } from '../store/store.ts';

/**
 * What an account is set up for. The API mentions these and shows no field for them, so they are a sandbox
 * control (docs/choices.md, Accounts).
 */
export interface AccountSettings {
  returnUrl: string;
  statementDescriptor: { descriptor: string; city: string };
  currencies: Currency[];
  preAuthAllowed: boolean;
  motoAllowed: boolean;
  minimumPayoutMinor: number;
  frozen: boolean;
}

export interface Account {
  id: string;
  /** The platform that this sub account is linked to; null for a platform itself. */
  platformId: string | null;
  type: 'Standard' | 'Sub';
  name: string;
  settings: AccountSettings;
}

export function defaultSettings(name: string): AccountSettings {
  return {
    returnUrl: 'https://example.com/return',
    statementDescriptor: { descriptor: name.slice(0, 22), city: 'London' },
    currencies: [...CURRENCY_CODES],
    preAuthAllowed: true,
    motoAllowed: true,
    minimumPayoutMinor: 100,
    frozen: false,
  };
}

interface AccountRow extends Row {
  id: string;
  platform_id: string | null;
  type: Account['type'];
  name: string;
  settings: string;
}

function fromRow(row: AccountRow): Account {
  const { id, platform_id: platformId, type, name } = row;
  return { id, platformId, type, name, settings: JSON.parse(row.settings) as AccountSettings };
}

export async function findAccount(queries: Queries, id: string): Promise<Account | undefined> {
  const row = await queries.get<AccountRow>(`SELECT * FROM accounts WHERE id = ?`, id);
  return row && fromRow(row);
}

export async function findPlatform(queries: Queries): Promise<Account | undefined> {
  const row = await queries.get<AccountRow>(
    `SELECT * FROM accounts WHERE type = 'Standard' ORDER BY seq LIMIT 1`,
  );
  return row && fromRow(row);
}

export async function listSubAccounts(queries: Queries, platformId: string): Promise<Account[]> {
  const rows = await queries.all<AccountRow>(
    `SELECT * FROM accounts WHERE platform_id = ? ORDER BY seq`,
    platformId,
  );
  return rows.map(fromRow);
}

export async function insertAccount(tx: Transaction, account: Account, nowMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO accounts (id, platform_id, type, name, settings, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    account.id,
    account.platformId,
    account.type,
    account.name,
    JSON.stringify(account.settings),
    nowMs,
    nowMs,
  );
}

export async function updateAccountSettings(
  tx: Transaction,
  id: string,
  settings: AccountSettings,
  nowMs: number,
): Promise<void> {
  await tx.run(
    `UPDATE accounts SET settings = ?, updated_ms = ? WHERE id = ?`,
    JSON.stringify(settings),
    nowMs,
    id,
  );
}
