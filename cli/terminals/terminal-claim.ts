import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import type { Log } from '../../protocol/log.ts';
import { PRIVATE_FOLDER } from '../../protocol/system/private-mode.ts';
import { parseUser } from '../../protocol/topics.ts';
import {
  createPairing,
  PairingRefused,
  type PairedCredentials,
  type PairingRequest,
  type SandboxApi,
} from '../../simulator/pairing.ts';
import { connectApi, pause, type ClientOptions, type ServerApi } from '../client/api-client.ts';
import { readKeys, acquireLock } from '../data-folder/data-folder.ts';
import { booleanOption } from '../command-line/option.ts';
import { type CommandContext, uninterrupted } from '../command-line/command-context.ts';
import type { LinkCredentials } from '../../protocol/link.ts';
import { chooseTerminal } from '../client/terminal-choice.ts';

/** Option of the commands that run terminals. */
export const takeOver = booleanOption(
  '--take-over',
  'Disconnect the process that runs the terminal now; refused while an action is in progress',
);

const ADVICE = 'stop the process that runs it, or disconnect it with --take-over';

/** Returns the conditions of a pairing, so that it does not disconnect a terminal that is in use. */
export function pairingRequest(takesOver: boolean): PairingRequest {
  return { unless: takesOver ? 'Busy' : 'Online' };
}

/** Turns a refused pairing into a Fault with advice; returns any other error unchanged. */
export function pairingError(error: unknown): unknown {
  if (!(error instanceof PairingRefused) || error.status !== 409) return error;
  const advice = error.reason.includes('online') ? `; ${ADVICE}` : '';
  return new Fault('server_answer', `${error.terminalId}: ${error.reason}${advice}`, { cause: error });
}

interface ClaimParts {
  terminalId: string;
  api: SandboxApi;
  options: ClientOptions & { takeOver: boolean; credentials: string | undefined };
  log: Log;
}

/** A terminal locked for this process. */
interface TerminalClaim {
  /** Returns the credentials of the claim for the pairing request; passes other requests on. */
  api: SandboxApi;
  release(): void;
}

/**
 * Pairs a terminal and locks it in DATA_DIR, where its journal is. Resolves with undefined when the command is
 * interrupted first.
 * @throws Fault when the terminal is in use; with --take-over only while an action is in progress.
 */
export async function claimTerminal(
  context: CommandContext,
  parts: ClaimParts,
): Promise<TerminalClaim | undefined> {
  const { terminalId, api, options, log } = parts;
  const { clock, random, interrupted } = context;
  const lock = () => lockTerminal(options.dataDir, terminalId);
  let release = options.takeOver ? undefined : await lock();
  try {
    if (!options.takeOver) await refuseOnline(context, parts);
    const path = `/pairing/terminals/${encodeURIComponent(terminalId)}`;
    const pairing = createPairing({ api, clock, random, log });
    const credentials = await pairing.pair(path, interrupted, pairingRequest(options.takeOver));
    if (credentials) {
      // The previous process ends once the broker refuses its credentials.
      release ??= await retry(context, lock);
      return { api: withKnownCredentials(api, path, credentials), release };
    }
    release?.();
    return undefined;
  } catch (error) {
    release?.();
    throw pairingError(error);
  }
}

function lockTerminal(dataDir: string, terminalId: string): Promise<() => void> {
  const path = lockPath(dataDir, terminalId);
  makeFolder(dirname(path), PRIVATE_FOLDER);
  return acquireLock(path, `${terminalId} is run by another process with this DATA_DIR: ${ADVICE}`);
}

const lockPath = (dataDir: string, terminalId: string) => join(dataDir, 'terminals', `${terminalId}.lock`);

/**
 * Returns whether another process with this DATA_DIR runs a terminal. A lock file left by a killed process does not
 * count.
 */
export async function isRunningElsewhere(dataDir: string, terminalId: string): Promise<boolean> {
  if (!existsSync(lockPath(dataDir, terminalId))) return false;
  const release = await lockTerminal(dataDir, terminalId).catch(() => undefined);
  release?.();
  return release === undefined;
}

/** Credentials from a file need no pairing, so whether the terminal is in use is checked here, if a key is known. */
async function refuseOnline(context: CommandContext, { terminalId, options }: ClaimParts): Promise<void> {
  if (options.credentials === undefined) return;
  if ((options.secretKey ?? readKeys(options.dataDir).secretKey) === undefined) return;
  const params = { id: terminalId };
  const answer = await connectApi(context, options).answer('GET /sandbox/terminals/{id}', { params });
  if (answer.ok && answer.body.online) {
    throw new Fault('server_answer', `${terminalId}: the terminal is online: ${ADVICE}`);
  }
}

const TRY_EVERY_MS = 200;
const TRIES = 50;

async function retry<T>(context: CommandContext, run: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (tried === TRIES) throw error;
      await pause(context, TRY_EVERY_MS);
    }
  }
}

function withKnownCredentials(api: SandboxApi, pairing: string, credentials: PairedCredentials): SandboxApi {
  return {
    request: (method, path, body) =>
      path === pairing
        ? Promise.resolve({ status: 200, body: credentials })
        : api.request(method, path, body),
  };
}

/**
 * Returns the id of the terminal to run, and the API that pairs it: the server's, or one that returns the credentials
 * of a file. Its other requests are rejected with Fault `bad_setting` where no secret key is known.
 */
export async function resolveTerminal(
  context: CommandContext,
  options: ClientOptions & { terminal: string | undefined; credentials: string | undefined },
  choose = (api: ServerApi) => chooseTerminal(api, options.terminal),
): Promise<{ terminalId: string; api: SandboxApi }> {
  if (options.credentials === undefined) {
    const terminalId = await choose(connectApi(context, options));
    const lasting = connectApi(uninterrupted(context), options);
    return { terminalId, api: { request: (method, path, body) => lasting.ask(method, path, body) } };
  }
  const credentials = readCredentials(options.credentials);
  const terminalId = parseUser(credentials.username).id;
  const pairing = `/pairing/terminals/${encodeURIComponent(terminalId)}`;
  return {
    terminalId,
    api: {
      async request(method, path, body) {
        if (path === pairing) return { status: 200, body: credentials };
        return connectApi(uninterrupted(context), options).ask(method, path, body);
      },
    },
  };
}

const CREDENTIALS = ['clientId', 'username', 'password'] as const;

function readCredentials(path: string): LinkCredentials {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The message of a JSON error would quote the password.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new Fault('bad_setting', `--credentials ${path} cannot be read: ${reason}`);
  }
  const credentials = value as LinkCredentials | null;
  const missing = CREDENTIALS.find((name) => typeof credentials?.[name] !== 'string');
  if (!credentials || missing) throw new Fault('bad_setting', `--credentials ${path}: ${missing} is missing`);
  return credentials;
}
