import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Fault, errorCode, messageOf } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { PRIVATE_FOLDER } from '../../protocol/system/private-mode.ts';
import { releaseLock } from '../../protocol/system/release-lock.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';
import type { Ids } from '../../protocol/ids.ts';
import { DASHBOARD_TOKEN_PREFIX, modeOf, type Keys } from './server-keys.ts';
import type { Mode } from '../../server/platform/settings.ts';

const SECRET_BYTES = 32;

const NAMES: (keyof Keys)[] = ['secretKey', 'publicKey', 'pairingSecret', 'dashboardToken'];

/**
 * Creates the data folder with mode 0700 if it does not exist.
 * @throws Fault `data_folder`, naming DATA_DIR.
 */
export function createDataFolder(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir), PRIVATE_FOLDER);
  } catch (error) {
    throw new Fault('data_folder', `DATA_DIR ${dataDir} cannot be created: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Reads keys.json of a data folder; empty when the file does not exist.
 * @throws Fault `data_folder` when it cannot be read or is not valid.
 */
export function readKeys(dataDir: string): Partial<Keys> {
  const path = join(dataDir, 'keys.json');
  let keys: unknown;
  try {
    keys = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    // The message of a JSON error would quote a key.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new Fault('data_folder', `${path} cannot be read: ${reason}`);
  }
  // Validated by hand: loading the schema library takes longer than most commands run.
  const isText = (value: unknown) => value === undefined || (typeof value === 'string' && value !== '');
  const wrong = NAMES.find((name) => !isText((keys as Partial<Keys> | null)?.[name]));
  if (typeof keys !== 'object' || keys === null)
    throw new Fault('data_folder', `${path} is not a JSON object`);
  if (wrong) throw new Fault('data_folder', `${path}: ${wrong} must be text that is not empty`);
  return keys;
}

/**
 * Returns all keys of a server: from the environment, else from keys.json, else new ones, which are then written
 * there. Live keys come from the environment only and are never written. Without a folder nothing is written.
 * @throws Fault `bad_setting` or `data_folder`.
 */
export function resolveKeys(
  given: { [K in keyof Keys]: string | undefined },
  dataDir: string | undefined,
  ids: Ids,
): { keys: Keys; mode: Mode } {
  const mode = modeOf(given);
  if (mode === 'live' && given.publicKey === undefined) {
    throw new Fault('bad_setting', 'PUBLIC_KEY must be set when SECRET_KEY is a live key');
  }
  const kept = dataDir === undefined ? {} : readKeys(dataDir);
  const made: Partial<Keys> = {};
  const resolved = (name: keyof Keys, prefix = '') =>
    given[name] ?? kept[name] ?? (made[name] = prefix + ids.secret(SECRET_BYTES));
  const keys = {
    secretKey: resolved('secretKey', 'sk_sandbox_'),
    publicKey: resolved('publicKey', 'pk_sandbox_'),
    pairingSecret: resolved('pairingSecret'),
    dashboardToken: resolved('dashboardToken', DASHBOARD_TOKEN_PREFIX),
  };
  // Again, with the keys of keys.json, which may have been edited.
  modeOf(keys);
  if (dataDir !== undefined && Object.keys(made).length > 0) writeKeys(dataDir, { ...kept, ...made });
  return { keys, mode };
}

/** Writes keys.json in one step. */
function writeKeys(dataDir: string, keys: Partial<Keys>): void {
  try {
    replaceFile(join(dataDir, 'keys.json'), `${JSON.stringify(keys, null, 2)}\n`, { sync: true });
  } catch (error) {
    throw new Fault('data_folder', `DATA_DIR ${dataDir} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Locks the file `path` for this process, until the returned function is called or the process ends. Releasing
 * removes the file.
 * @param inUse message of the Fault when another process holds the lock
 * @throws Fault `bad_setting` when another process holds it, or it cannot be written.
 */
export async function acquireLock(path: string, inUse: string): Promise<() => void> {
  const { lockFile } = await import('../../server/platform/store/sqlite.ts');
  let lock: { release(): void } | undefined;
  try {
    lock = lockFile(path);
  } catch (error) {
    throw new Fault('bad_setting', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  if (!lock) throw new Fault('bad_setting', inUse);
  return () => releaseLock(path, lock.release);
}
