import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import { verifiedBusinessProfile, type AccountProfile, type StoredCapabilities } from './account-profile.ts';
import { parseSettings, type AccountSettings } from './account-settings.ts';
import type { EntityType, PayoutSchedule } from './account.schema.ts';
import type { Business, Individual } from './account-holder.schema.ts';
import type { StoredVerification } from './verification.rules.ts';

export interface Account {
  id: string;
  /** The platform that this sub account is linked to; null for a platform itself. */
  platformId: string | null;
  type: 'Standard' | 'Sub';
  name: string;
  settings: AccountSettings;
}

/** A row of `accounts`. */
export interface AccountRow extends Row {
  id: string;
  platform_id: string | null;
  type: Account['type'];
  name: string;
  settings: JsonText<AccountSettings>;
  onboarding_flow: 'Hosted' | 'NonHosted';
  email: string | null;
  entity_type: EntityType | null;
  business: JsonText<Business> | null;
  individual: JsonText<Individual> | null;
  metadata: JsonText<AccountProfile['metadata']>;
  payout_schedule: PayoutSchedule;
  capabilities: JsonText<StoredCapabilities>;
  terms: JsonText<NonNullable<AccountProfile['terms']>> | null;
  verification: JsonText<StoredVerification>;
  paid_out: JsonText<Partial<Record<string, number>>>;
  created_ms: number;
  updated_ms: number;
}

// Read at every event, so the long columns are left out.
const SHORT = 'id, platform_id, type, name, settings';
type ShortRow = Pick<AccountRow, 'id' | 'platform_id' | 'type' | 'name' | 'settings'>;

function fromRow(row: ShortRow): Account {
  const { id, platform_id: platformId, type, name } = row;
  return { id, platformId, type, name, settings: parseSettings(row.settings) };
}

export async function findAccount(queries: Queries, id: string): Promise<Account | undefined> {
  const row = await queries.get<ShortRow>(`SELECT ${SHORT} FROM accounts WHERE id = ?`, id);
  return row && fromRow(row);
}

export async function listSubAccounts(queries: Queries, platformId: string): Promise<Account[]> {
  const rows = await queries.all<ShortRow>(
    `SELECT ${SHORT} FROM accounts WHERE platform_id = ? ORDER BY seq`,
    platformId,
  );
  return rows.map(fromRow);
}

/** Returns the capabilities of an account. The account must exist. */
export async function findCapabilities(
  queries: Queries,
  id: string,
): Promise<Pick<AccountRow, 'capabilities'>> {
  const row = await queries.get<Pick<AccountRow, 'capabilities'>>(
    `SELECT capabilities FROM accounts WHERE id = ?`,
    id,
  );
  return row!;
}

/** Returns an account by id, of any platform. */
export function findAccountRow(queries: Queries, id: string): Promise<AccountRow | undefined> {
  return queries.get<AccountRow>(`SELECT * FROM accounts WHERE id = ?`, id);
}

/** Returns a sub account of a platform. */
export function findSubAccount(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<AccountRow | undefined> {
  return queries.get<AccountRow>(`SELECT * FROM accounts WHERE id = ? AND platform_id = ?`, id, platformId);
}

/** Returns the platform itself or one of its sub accounts. */
export function findOwnAccount(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<AccountRow | undefined> {
  return id === platformId ? findAccountRow(queries, id) : findSubAccount(queries, platformId, id);
}

/** Returns the Hosted sub account whose holder signs in with this e-mail address. */
export function findAccountByEmail(
  queries: Queries,
  platformId: string,
  email: string,
): Promise<AccountRow | undefined> {
  return queries.get<AccountRow>(
    `SELECT * FROM accounts WHERE platform_id = ? AND email_key = ?`,
    platformId,
    email.toLowerCase(),
  );
}

/** Gives accounts without a profile (from the first release, or created by name alone) that of a verified business. */
export async function backfillProfiles(tx: Transaction, nowMs: number): Promise<void> {
  const old = await tx.all<ShortRow>(`SELECT ${SHORT} FROM accounts WHERE onboarding_flow IS NULL`);
  for (const { id, name } of old) await saveProfile(tx, id, verifiedBusinessProfile(name, nowMs), nowMs);
}

/**
 * Inserts an account; without a profile it is a verified business.
 * @throws UniqueViolation when another sub account of the platform signs in with the profile's e-mail address.
 */
export async function insertAccount(
  tx: Transaction,
  account: Account,
  nowMs: number,
  profile: AccountProfile = verifiedBusinessProfile(account.name, nowMs),
): Promise<AccountRow> {
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
  return saveProfile(tx, account.id, profile, nowMs);
}

/** Saves the details of an account. */
export async function saveProfile(
  tx: Transaction,
  id: string,
  profile: AccountProfile,
  nowMs: number,
): Promise<AccountRow> {
  const signsIn = profile.onboardingFlow === 'Hosted' ? profile.email?.toLowerCase() : undefined;
  const row = await tx.get<AccountRow>(
    `UPDATE accounts SET onboarding_flow = ?, email = ?, email_key = ?, entity_type = ?, business = ?, individual = ?,
       metadata = ?, payout_schedule = ?, capabilities = ?, terms = ?, verification = ?, updated_ms = ?
     WHERE id = ? RETURNING *`,
    profile.onboardingFlow,
    profile.email ?? null,
    signsIn ?? null,
    profile.entityType ?? null,
    profile.business ? JSON.stringify(profile.business) : null,
    profile.individual ? JSON.stringify(profile.individual) : null,
    JSON.stringify(profile.metadata),
    profile.payoutSchedule,
    JSON.stringify(profile.capabilities),
    profile.terms ? JSON.stringify(profile.terms) : null,
    JSON.stringify(profile.verification),
    nowMs,
    id,
  );
  return row!;
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

/** Saves what an account has been paid out, minor units by currency. */
export async function savePaidOut(
  tx: Transaction,
  id: string,
  paidOut: Partial<Record<string, number>>,
): Promise<void> {
  await tx.run(`UPDATE accounts SET paid_out = ? WHERE id = ?`, JSON.stringify(paidOut), id);
}

/** Sets the time of an account's last update. */
export async function touchAccount(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.run(`UPDATE accounts SET updated_ms = ? WHERE id = ?`, nowMs, id);
}

/** Parses the details of an account from its row. */
export function profileOf(row: AccountRow): AccountProfile {
  return {
    onboardingFlow: row.onboarding_flow,
    email: row.email ?? undefined,
    entityType: row.entity_type ?? undefined,
    business: parsed(row.business),
    individual: parsed(row.individual),
    metadata: parseJson(row.metadata),
    payoutSchedule: row.payout_schedule,
    capabilities: parseJson(row.capabilities),
    terms: parsed(row.terms),
    verification: parseJson(row.verification),
  };
}

function parsed<T>(text: JsonText<T> | null): T | undefined {
  return text === null ? undefined : parseJson(text);
}
