import { parseJson, type JsonText } from '../../platform/store/json-text.ts';
import { storedObjects } from '../../platform/store/stored-objects.ts';
import type { RowOf } from '../../platform/store/stored-property.ts';
import type { Queries, Transaction, TransactionOptions, SqlValue } from '../../platform/store/store.ts';
import { verifiedBusinessProfile, type AccountProfile } from './account-profile.ts';
import { parseSettings, type AccountSettings } from './account-settings.ts';
import { ACCOUNT } from './account.schema.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import {
  joinActiveWebhooks,
  JOINED_WEBHOOK,
  type JoinedWebhook,
  joinedWebhooksOf,
} from '../webhooks/webhook.records.ts';

export interface Account {
  id: string;
  /** The platform that this sub account is linked to; null for a platform itself. */
  platformId: string | null;
  type: 'Standard' | 'Sub';
  name: string;
  settings: AccountSettings;
}

export const accounts = storedObjects({ table: 'accounts' }, ACCOUNT);

export type AccountRow = RowOf<typeof ACCOUNT>;

/** Options of a transaction that changes an account, or what belongs to it. It locks the account before it reads. */
export const ACCOUNT_GUARDS = {
  guardedBy: ['accountDetails', 'jobClaims'],
} as const satisfies TransactionOptions;

/**
 * Returns an account that was there when the request began.
 * @throws Refusal `not_found` when a reset has deleted it since then
 */
export async function requireAccount(queries: Queries, id: string): Promise<AccountRow> {
  const row = await accounts.findAny(queries, id);
  if (!row) throw new Refusal('not_found', { what: 'account' });
  return row;
}

/** Locks an account and returns it as it is then. @throws Refusal `not_found` when a reset has deleted it */
export function lockAccount(tx: Transaction, id: string): Promise<AccountRow> {
  tx.lockRow('accounts', id);
  return requireAccount(tx, id);
}

// Read at every event, so the long columns are left out.
const SHORT = 'id, platform_id, type, name, settings';
type ShortRow = Pick<AccountRow, 'id' | 'platform_id' | 'type' | 'name' | 'settings'>;

function fromRow(row: ShortRow): Account {
  const { id, platform_id: platformId, type, name } = row;
  return { id, platformId, type, name, settings: parseSettings(row.settings) };
}

/**
 * Returns the account of a caller, which no reset deletes until the transaction ends.
 * @throws Refusal `account_not_linked` when a reset has deleted it, as for its next request
 */
export async function keepCallerAccount(tx: Transaction, id: string): Promise<Account> {
  tx.delayReset();
  const account = await findAccount(tx, id);
  if (!account) throw new Refusal('account_not_linked');
  return account;
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

/** Returns the platform itself or one of its sub accounts. */
export function findOwnAccount(
  queries: Queries,
  platformId: string,
  id: string,
): Promise<AccountRow | undefined> {
  return id === platformId ? accounts.findAny(queries, id) : accounts.find(queries, platformId, id);
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
export function insertAccount(
  tx: Transaction,
  { settings: accountSettings, ...account }: Account,
  nowMs: number,
  profile: AccountProfile = verifiedBusinessProfile(account.name, nowMs),
): Promise<AccountRow> {
  return accounts.insert(tx, { ...account, accountSettings, ...storedProfile(profile) }, nowMs);
}

/** Saves the details of an account. */
export async function saveProfile(
  tx: Transaction,
  id: string,
  profile: AccountProfile,
  nowMs: number,
): Promise<void> {
  await accounts.update(tx, id, storedProfile(profile), nowMs);
}

function storedProfile({ verification: verificationState, ...profile }: AccountProfile) {
  const {
    email = null,
    entityType = null,
    business = null,
    individual = null,
    termsOfService = null,
  } = profile;
  const emailKey = profile.onboardingFlow === 'Hosted' && email !== null ? email.toLowerCase() : null;
  return { ...profile, email, emailKey, entityType, business, individual, termsOfService, verificationState };
}

/** Saves what an account has been paid out, minor units by currency. */
export async function savePaidOut(
  tx: Transaction,
  id: string,
  paidOut: Partial<Record<string, number>>,
): Promise<void> {
  tx.requireRowLock('accounts', id);
  await tx.run(`UPDATE accounts SET paid_out = ? WHERE id = ?`, JSON.stringify(paidOut), id);
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
    termsOfService: parsed(row.terms),
    verification: parseJson(row.verification),
  };
}

function parsed<T>(text: JsonText<T> | null): T | undefined {
  return text === null ? undefined : parseJson(text);
}

/**
 * Returns the SQL condition for the rows that a caller controls: those of the sub account in the Account header,
 * or without the header those of the platform and all its sub accounts. For sandbox controls and pairing; the API
 * itself shows one account at a time (Spec §5.6).
 */
export function accountScopeOf(
  { accountId, platformId }: Pick<Caller, 'accountId' | 'platformId'>,
  column = 'account_id',
): { where: string; parameters: SqlValue[] } {
  if (accountId !== platformId) return { where: `${column} = ?`, parameters: [accountId] };
  return {
    where: `${column} IN (SELECT id FROM accounts WHERE id = ? OR platform_id = ?)`,
    parameters: [platformId, platformId],
  };
}

/** An account as a payment needs it, and the webhooks of its platform that receive its events. */
interface AccountReading extends Account {
  capabilities: AccountRow['capabilities'];
  /** Oldest first; active ones only. */
  webhooks: { webhookId: string; eventTypes: string[] }[];
}

type ReadRow = JoinedWebhook &
  Pick<AccountRow, 'id' | 'platform_id' | 'type' | 'name' | 'settings' | 'capabilities'>;

/** Does what `keepCallerAccount` does, once in a transaction, and reads what a payment needs too. */
export async function readCallerAccount(tx: Transaction, id: string): Promise<AccountReading> {
  tx.delayReset();
  const account = await readAccount(tx, id);
  if (!account) throw new Refusal('account_not_linked');
  return account;
}

/** Reads an account, once in a transaction; undefined when there is none. */
export function readAccount(tx: Transaction, id: string): Promise<AccountReading | undefined> {
  return tx.once(`account ${id}`, async () => {
    const rows = await tx.all<ReadRow>(
      `SELECT a.id, a.platform_id, a.type, a.name, a.settings, a.capabilities, ${JOINED_WEBHOOK}
       FROM accounts a ${joinActiveWebhooks('COALESCE(a.platform_id, a.id)')}
       WHERE a.id = ? ORDER BY webhook.seq`,
      id,
    );
    const [account] = rows;
    if (!account) return undefined;
    const { platform_id: platformId, type, name, settings, capabilities } = account;
    return {
      id,
      platformId,
      type,
      name,
      settings: parseSettings(settings),
      capabilities,
      webhooks: joinedWebhooksOf(rows),
    };
  });
}
