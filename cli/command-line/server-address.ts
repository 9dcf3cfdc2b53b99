import { readFileSync, rmSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, errorCode, messageOf } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';
import { sandboxFolder } from '../../protocol/system/sandbox-folder.ts';
import { DEFAULT_SANDBOX, isSandboxName } from '../../protocol/topics.ts';
import { stringOption } from './option.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';
const FILE = 'server.json';

/** Default of the address, for `--help` and documents. */
export const ADDRESS_DEFAULT = `that of the server which runs with DATA_DIR, else ${DEFAULT_URL}`;

/** Where the address of a server comes from. */
type AddressOrigin =
  | { from: 'setting' }
  /** `path` of the file in the data folder. */
  | { from: 'dataFolder'; path: string }
  /** The data folder has no address: `path` is not there. */
  | { from: 'default'; path: string };

export interface ServerAddress {
  url: string;
  /** Undefined for a server that did not come from the settings of the command. */
  origin?: AddressOrigin | undefined;
}

/**
 * Returns the address of the server that a command calls: that of `--url` or `TAPBENCH_URL`, else the one that the
 * server wrote into its data folder, else the default.
 * @throws Fault `data_folder` when the file in the folder cannot be read.
 */
function findServer(given: string | undefined, dataDir: string): Required<ServerAddress> {
  if (given !== undefined) return { url: given, origin: { from: 'setting' } };
  const path = join(dataDir, FILE);
  const url = readAddress(dataDir);
  return url === undefined
    ? { url: DEFAULT_URL, origin: { from: 'default', path } }
    : { url, origin: { from: 'dataFolder', path } };
}

/**
 * Returns the address of the server that runs with a data folder; undefined when it has none.
 * @throws Fault `data_folder` when the file cannot be read or has no address.
 */
export function readAddress(dataDir: string): string | undefined {
  const path = join(dataDir, FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    // A folder that another user owns says nothing to this one: SECRET_KEY may be set.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw new Fault('data_folder', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const url = addressIn(text);
  if (url !== undefined) return url;
  throw new Fault('data_folder', `${path} has no address of a server: delete it, or start the server again`);
}

function addressIn(text: string): string | undefined {
  try {
    const { url } = parseOutsideJson(text) as { url?: unknown };
    return typeof url === 'string' && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the address of a server into its data folder, so that commands find it. @throws when it cannot be written */
export function writeAddress(dataDir: string, url: string): void {
  replaceFile(join(dataDir, FILE), `${JSON.stringify({ url })}\n`);
}

/** Removes the address of a server that ends. */
export function removeAddress(dataDir: string): void {
  try {
    rmSync(join(dataDir, FILE), { force: true });
  } catch {
    // It stays: a command then says where the address came from.
  }
}

/** Returns the error of a command that reaches no server, with where the address came from and what to do. */
export function noServer({ url, origin }: ServerAddress, cause: unknown): Fault {
  return new Fault('transport', `no server at ${url}${adviceOf(origin)}`, { cause });
}

function adviceOf(origin: AddressOrigin | undefined): string {
  switch (origin?.from) {
    case 'dataFolder':
      return `, the address in ${origin.path}: that server has ended; start it again with 'tapbench up', or set TAPBENCH_URL to the address of another`;
    case 'default':
      return `, the default, as ${origin.path} is not there: start one with 'tapbench up', or set DATA_DIR to the folder of yours, or TAPBENCH_URL to its address`;
    default:
      return ": start one there with 'tapbench up', or set TAPBENCH_URL to the address of yours";
  }
}

/**
 * Returns what to add to the message when what replied does not know the key, or is no Tapbench server: another one may
 * be at the address now.
 */
export function otherServerHint({ url, origin }: ServerAddress): string {
  switch (origin?.from) {
    case 'dataFolder':
      return `; the address ${url} comes from ${origin.path}: if another server is there now, start yours again with 'tapbench up'`;
    case 'default':
      return `; the address ${url} is the default, as ${origin.path} is not there: set DATA_DIR to the folder of your server, or TAPBENCH_URL to its address`;
    case 'setting':
      return `; the address ${url} comes from --url or TAPBENCH_URL`;
    default:
      return '';
  }
}

/** The option of commands that call a server, for one of its sandboxes. */
export const sandboxOption = stringOption({
  flag: '--sandbox <name>',
  env: 'TAPBENCH_SANDBOX',
  description: 'The sandbox of the server to use, with its key in DATA_DIR; SECRET_KEY is not used then',
  defaultText: 'default',
});

interface SandboxOptions {
  sandbox?: string | undefined;
  url?: string | undefined;
  dataDir?: string;
}

/**
 * Returns the options of a command with the address of its server, and as those for the sandbox that they name: its
 * address, its folder and no other key.
 * @throws Fault `bad_setting` for a name that is none, and for a sandbox that is not in the data folder; `data_folder`
 * when the address in the folder cannot be read
 */
export function forServer<O>(typed: O): O {
  const { url: given, dataDir = '' } = typed as SandboxOptions;
  if (!('url' in (typed as object))) return typed;
  return forSandbox({ ...typed, ...findServer(given, dataDir) });
}

function forSandbox<O>(options: O): O {
  const { sandbox = DEFAULT_SANDBOX, url, dataDir = '' } = options as SandboxOptions;
  if (sandbox === DEFAULT_SANDBOX) return options;
  if (!isSandboxName(sandbox))
    throw new Fault('bad_setting', `--sandbox: ${sandbox} is not the name of a sandbox`);
  const folder = join(dataDir, 'sandboxes', sandboxFolder(sandbox));
  if (!existsSync(folder)) {
    throw new Fault(
      'bad_setting',
      `--sandbox: there is no ${folder}: set DATA_DIR to the folder of the server, or set SECRET_KEY to the key of the sandbox and leave --sandbox out`,
    );
  }
  return {
    ...options,
    url: `${url}/s/${sandbox}`,
    dataDir: folder,
    secretKey: undefined,
    dashboardToken: undefined,
  };
}
