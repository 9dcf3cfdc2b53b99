import { CURRENCY_CODES, type Currency } from '../../../protocol/money.ts';
import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import type { Queries, Row, Transaction } from '../../platform/store/store.ts';
import { shopProfile, type AccountProfile, type KeptCapabilities } from './account-profile.ts';
import type { EntityType, PayoutSchedule } from './account.schema.ts';
import type { Business, Individual } from './account-holder.schema.ts';
import type { KeptVerification } from './verification.rules.ts';

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
  /** Whether browsers are sent to the issuer's page by a Redirect, as older client libraries expect. */
  threeDsRedirect?: boolean;
  /** What an Individual may be paid out before verification, by currency; VERIFY_ABOVE_MINOR where not named. */
  verifyAboveMinor?: Partial<Record<Currency, number>>;
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

/** An account with all that it has to say of itself. Members that are JSON are text. */
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
  capabilities: JsonText<KeptCapabilities>;
  terms: JsonText<NonNullable<AccountProfile['terms']>> | null;
  verification: JsonText<KeptVerification>;
  paid_out: JsonText<Partial<Record<string, number>>>;
  created_ms: number;
  updated_ms: number;
}

// The short form is looked up at every event, so the long members are left where they are.
const SHORT = 'id, platform_id, type, name, settings';
type ShortRow = Pick<AccountRow, 'id' | 'platform_id' | 'type' | 'name' | 'settings'>;

function fromRow(row: ShortRow): Account {
  const { id, platform_id: platformId, type, name } = row;
  return { id, platformId, type, name, settings: parseJson(row.settings) };
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

/** What an account asked to be able to do, of one that is known to be there. */
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

/** By id alone: for what happens to an account without a caller. */
export function findAccountRow(queries: Queries, id: string): Promise<AccountRow | undefined> {
  return queries.get<AccountRow>(`SELECT * FROM accounts WHERE id = ?`, id);
}

/** The sub account of this platform with this id. */
export function findSubAccount(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<AccountRow | undefined> {
  return queries.get<AccountRow>(`SELECT * FROM accounts WHERE id = ? AND platform_id = ?`, id, platformId);
}

/** The platform itself or one of its sub accounts. */
export function findOwnAccount(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<AccountRow | undefined> {
  return id === platformId ? findAccountRow(queries, id) : findSubAccount(queries, platformId, id);
}

/** The Hosted sub account whose holder signs in with this e-mail address. */
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

/** Sub accounts of the first release, and those that were made by name alone, are verified shops. */
export async function completeOldAccounts(tx: Transaction, nowMs: number): Promise<void> {
  const old = await tx.all<ShortRow>(`SELECT ${SHORT} FROM accounts WHERE onboarding_flow IS NULL`);
  for (const { id, name } of old) await saveProfile(tx, id, shopProfile(name, nowMs), nowMs);
}

/**
 * An account made by its name alone is a verified shop.
 * @throws UniqueViolation when another sub account of the platform signs in with the profile's e-mail address.
 */
export async function insertAccount(
  tx: Transaction,
  account: Account,
  nowMs: number,
  profile: AccountProfile = shopProfile(account.name, nowMs),
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

export async function savePaidOut(
  tx: Transaction,
  id: string,
  paidOut: Partial<Record<string, number>>,
): Promise<void> {
  await tx.run(`UPDATE accounts SET paid_out = ? WHERE id = ?`, JSON.stringify(paidOut), id);
}

/** Notes that what the API shows of an account has changed. */
export async function touchAccount(tx: Transaction, id: string, nowMs: number): Promise<void> {
  await tx.run(`UPDATE accounts SET updated_ms = ? WHERE id = ?`, nowMs, id);
}

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
