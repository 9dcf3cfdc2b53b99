import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Fault, messageOf } from '../protocol/failures.ts';
import type { Ids } from '../protocol/ids.ts';
import { DASHBOARD_TOKEN_PREFIX, modeOf, type Keys } from './config.ts';
import type { Mode } from '../server/platform/settings.ts';

const SECRET_BYTES = 32;

const NAMES: (keyof Keys)[] = ['secretKey', 'publicKey', 'pairingSecret', 'dashboardToken'];

/**
 * Makes the data folder, for its owner alone, where there is none. Folder by folder: Node's own recursive mkdir
 * never returns for a place that takes no folders, such as /proc (nodejs/node 20).
 * @throws Fault `data_folder`, naming DATA_DIR.
 */
export function createDataFolder(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    throw new Fault('data_folder', `DATA_DIR ${dataDir} cannot be made: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * What keys.json of a data folder holds; nothing when there is no such file.
 * @throws Fault `data_folder` when it cannot be read or understood.
 */
export function readKeys(dataDir: string): Partial<Keys> {
  const path = join(dataDir, 'keys.json');
  let keys: unknown;
  try {
    keys = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    // The text of a JSON error quotes the file, and with it a key.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new Fault('data_folder', `${path} cannot be read: ${reason}`);
  }
  // By hand: the schema library takes longer to load than most commands run.
  const isText = (value: unknown) => value === undefined || (typeof value === 'string' && value !== '');
  const wrong = NAMES.find((name) => !isText((keys as Partial<Keys> | null)?.[name]));
  if (typeof keys !== 'object' || keys === null)
    throw new Fault('data_folder', `${path} is not a JSON object`);
  if (wrong) throw new Fault('data_folder', `${path}: ${wrong} must be text that is not empty`);
  return keys;
}

/**
 * All keys of a server: what the environment says, else what the folder keeps, else fresh ones, which the
 * folder then keeps. Live keys come from the environment alone and are written nowhere. Without a folder
 * nothing is kept.
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
  // Once more for keys.json, which somebody may have edited.
  modeOf(keys);
  if (dataDir !== undefined && Object.keys(made).length > 0) writeKeys(dataDir, { ...kept, ...made });
  return { keys, mode };
}

/** Replaces the file whole, so that a crash leaves the old one or the new one. */
function writeKeys(dataDir: string, keys: Partial<Keys>): void {
  const path = join(dataDir, 'keys.json');
  try {
    const file = openSync(`${path}.new`, 'w', 0o600);
    try {
      writeSync(file, `${JSON.stringify(keys, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new Fault('data_folder', `DATA_DIR ${dataDir} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
