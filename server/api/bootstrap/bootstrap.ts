import type { Services } from '../../platform/services.ts';
import { recordInstance } from '../../platform/instances/other-instances.ts';
import { seedCatalogue } from '../in-person/catalogue/catalogue.ts';
import { getOrSetSetting, requireSetting } from '../../platform/store/setting.records.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { defaultSettings } from '../accounts/account-settings.ts';
import { backfillProfiles, findAccount, insertAccount, type Account } from '../accounts/account.records.ts';
import { insertKey, revokeOtherKeys } from '../accounts/api-keys.ts';
import {
  storePairingDigest,
  refuseOtherKeys,
  type SharedStoreStart,
  type StoreKeys,
} from './shared-store-keys.ts';

export interface FirstAccounts {
  /** The account that the API keys belong to. */
  platformId: string;
  /** A sub account linked to it, for the Account header. */
  subAccountId: string;
}

/**
 * Creates what is missing of a platform account with the keys of the settings, one linked sub account, and a catalogue
 * (docs/choices.md, Accounts). Runs at every start; of several instances that start at once, all end with the same
 * accounts. Keys that the settings no longer contain stop working.
 * @param shared passed when other servers may use the store with the keys that it has
 * @throws Fault `bad_setting` when the keys differ and may not be replaced
 */
export async function bootstrapAccounts(
  parts: Pick<Services, 'store' | 'settings' | 'clock' | 'ids'>,
  shared?: SharedStoreStart,
): Promise<FirstAccounts> {
  const candidates = candidatesFor(parts.ids);
  return parts.store.transaction((tx) => ensureAccounts(tx, parts, candidates, shared), {
    serializable: 'start',
  });
}

/** Does what `bootstrapAccounts` does, within a transaction on a store that no server uses yet. */
export function bootstrapNewStore(
  tx: Transaction,
  parts: BootstrapParts & Pick<Services, 'ids'>,
): Promise<FirstAccounts> {
  return ensureAccounts(tx, parts, candidatesFor(parts.ids));
}

/** The keys of the settings, and sandbox time. */
interface BootstrapParts extends Pick<Services, 'clock'> {
  settings: StoreKeys;
}

/** The ids that both accounts get unless they exist. */
function candidatesFor(ids: Services['ids']): FirstAccounts {
  return { platformId: ids.make('account'), subAccountId: ids.make('account') };
}

async function ensureAccounts(
  tx: Transaction,
  { settings, clock }: BootstrapParts,
  candidates: FirstAccounts,
  shared?: SharedStoreStart,
): Promise<FirstAccounts> {
  const [platformId, subAccountId] = await Promise.all([
    getOrSetSetting(tx, 'platform_id', candidates.platformId),
    getOrSetSetting(tx, 'sub_account_id', candidates.subAccountId),
  ]);
  await seedFirstAccounts(tx, { platformId, subAccountId }, clock.nowMs());
  await getOrSetSetting(tx, CREATED, String(await firstAccountMs(tx, platformId)));
  if (shared) {
    await refuseOtherKeys(tx, settings, platformId, shared);
    await recordInstance(tx, shared.instanceId, shared.realNowMs);
  }
  const keys = [settings.secretKey, settings.publicKey];
  await Promise.all([
    ...keys.map((key) => insertKey(tx, key, platformId)),
    revokeOtherKeys(tx, keys, platformId),
    storePairingDigest(tx, settings.pairingSecret),
  ]);
  return { platformId, subAccountId };
}

/** Returns the ids of the first accounts, once `bootstrapAccounts` has run. */
export async function firstAccounts(queries: Queries): Promise<FirstAccounts> {
  const [platformId, subAccountId] = await Promise.all([
    requireSetting(queries, 'platform_id'),
    requireSetting(queries, 'sub_account_id'),
  ]);
  return { platformId, subAccountId };
}

/** When a store was created, epoch milliseconds. A reset does not change it. */
export async function storeCreatedMs(queries: Queries): Promise<number> {
  return Number(await requireSetting(queries, CREATED));
}

const CREATED = 'created_ms';

// A store of an earlier version has no such setting, and its first account was created with it.
async function firstAccountMs(queries: Queries, platformId: string): Promise<number> {
  const row = await queries.get<{ created_ms: number }>(
    `SELECT created_ms FROM accounts WHERE id = ?`,
    platformId,
  );
  return row!.created_ms;
}

/** Creates both accounts and the catalogue, unless they exist already. */
export async function seedFirstAccounts(
  tx: Transaction,
  { platformId, subAccountId }: FirstAccounts,
  nowMs: number,
): Promise<void> {
  await Promise.all([
    ensureAccount(tx, account(platformId, null, 'Tapbench Platform'), nowMs),
    ensureAccount(tx, account(subAccountId, platformId, 'Corner Shop'), nowMs),
  ]);
  seedCatalogue(tx, platformId);
  await backfillProfiles(tx, nowMs);
}

function account(id: string, platformId: string | null, name: string): Account {
  return { id, platformId, type: platformId ? 'Sub' : 'Standard', name, settings: defaultSettings(name) };
}

async function ensureAccount(tx: Transaction, wanted: Account, nowMs: number): Promise<void> {
  if (!(await findAccount(tx, wanted.id))) await insertAccount(tx, wanted, nowMs);
}
