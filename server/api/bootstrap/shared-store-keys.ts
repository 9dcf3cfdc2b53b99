import { createHmac } from 'node:crypto';
import { Fault } from '../../../protocol/failures.ts';
import { LEASE_MS } from '../../platform/instance-lease.ts';
import { countOtherInstances } from '../../platform/instances/other-instances.ts';
import { readSetting, storeSetting } from '../../platform/store/setting.records.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { hasOtherKeys } from '../accounts/api-keys.ts';
import type { ServerSettings } from '../../platform/settings.ts';

const PAIRING_DIGEST = 'pairing_secret_digest';

/** The keys with which a store is used. */
export type StoreKeys = Pick<ServerSettings, 'secretKey' | 'publicKey' | 'pairingSecret'>;

/** The settings of a server that starts on a store which other servers may use. */
export interface SharedStoreStart {
  instanceId: string;
  realNowMs: number;
  /** Whether its keys may replace those of the store when no other server runs. */
  replaceKeys: boolean;
}

/**
 * Refuses to replace the keys of another server on the same store: its API keys, and the pairing secret, from which
 * the passwords and card keys of its terminals are derived.
 * @throws Fault `bad_setting` that names the settings which differ and what to do; with `replaceKeys` only while
 *   another server runs
 */
export async function refuseOtherKeys(
  tx: Transaction,
  { secretKey, publicKey, pairingSecret }: StoreKeys,
  platformId: string,
  { instanceId, realNowMs, replaceKeys }: SharedStoreStart,
): Promise<void> {
  const stored = await readSetting(tx, PAIRING_DIGEST);
  const otherSecret = stored !== undefined && stored !== pairingDigest(pairingSecret);
  const otherKeys = await hasOtherKeys(tx, [secretKey, publicKey], platformId);
  if (!otherKeys && !otherSecret) return;
  const names = [
    ...(otherKeys ? ['SECRET_KEY and PUBLIC_KEY'] : []),
    ...(otherSecret ? ['PAIRING_SECRET'] : []),
  ];
  if (replaceKeys) return refuseWhileOthersRun(await countOtherInstances(tx, instanceId, realNowMs));
  throw new Fault(
    'bad_setting',
    `DATABASE_URL is in use with another ${names.join(' and another ')}: set the same as the servers on it have ` +
      '(theirs are in their environment, or in keys.json of their DATA_DIR), or set another DATABASE_URL; to ' +
      'change the keys of all, stop every server on it and start one with --replace-keys',
  );
}

function refuseWhileOthersRun(others: number): void {
  if (others === 0) return;
  const running = others === 1 ? 'another server runs' : `${others} other servers run`;
  throw new Fault(
    'bad_setting',
    `--replace-keys: ${running} on DATABASE_URL, and would be left without keys: stop every server on it first ` +
      `(one that was killed counts as running for ${LEASE_MS / 1000} s)`,
  );
}

/** Stores a digest of the pairing secret with which the terminals of this store were paired. */
export async function storePairingDigest(tx: Transaction, pairingSecret: string): Promise<void> {
  await storeSetting(tx, PAIRING_DIGEST, pairingDigest(pairingSecret));
}

function pairingDigest(pairingSecret: string): string {
  return createHmac('sha256', pairingSecret).update('which pairing secret this is').digest('hex');
}
