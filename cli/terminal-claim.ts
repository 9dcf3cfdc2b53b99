import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../protocol/failures.ts';
import { makeFolder } from '../protocol/folder.ts';
import type { Log } from '../protocol/log.ts';
import {
  createPairing,
  PairingRefused,
  type PairedCredentials,
  type PairingRequest,
  type SandboxApi,
} from '../simulator/pairing.ts';
import { connectApi, pause, type ClientOptions } from './api-client.ts';
import { readKeys } from './data-folder.ts';
import { booleanOption } from './option.ts';
import { acquireLock } from './process-lock.ts';
import type { CommandContext } from './command-context.ts';

/** The option of the commands that run terminals. */
export const takeOver = booleanOption(
  '--take-over',
  'Disconnect whatever runs the terminal now; refused while an action is in progress',
);

const ADVICE = 'stop what runs it, or disconnect it with --take-over';

/** What a pairing asks for, so that it does not disconnect a terminal that is in use. */
export function pairingRequest(takesOver: boolean): PairingRequest {
  return { unless: takesOver ? 'Busy' : 'Online' };
}

/** A refused pairing in words for the command line; anything else as it is. */
export function pairingError(error: unknown): unknown {
  if (!(error instanceof PairingRefused) || error.status !== 409) return error;
  const advice = error.reason.includes('online') ? `; ${ADVICE}` : '';
  return new Fault('server_answer', `${error.terminalId}: ${error.reason}${advice}`, { cause: error });
}

export interface ClaimParts {
  terminalId: string;
  api: SandboxApi;
  options: ClientOptions & { takeOver: boolean; credentials: string | undefined };
  log: Log;
}

/** A terminal that this process runs, and no other with the same DATA_DIR. */
export interface TerminalClaim {
  /** Answers the pairing with the credentials that were given. */
  api: SandboxApi;
  release(): void;
}

/**
 * Makes a terminal this process's own: pairs it, and holds its lock in DATA_DIR, where its journal is. Undefined when
 * the command is interrupted first.
 * @throws Fault when the terminal is in use, and with --take-over when an action of it is in progress.
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
      // The process that had it ends once the broker refuses its credentials.
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
  makeFolder(dirname(path), 0o700);
  return acquireLock(path, `${terminalId} is run by another process with this DATA_DIR: ${ADVICE}`);
}

const lockPath = (dataDir: string, terminalId: string) => join(dataDir, 'terminals', `${terminalId}.lock`);

/** Whether another process with this DATA_DIR runs a terminal. A lock file that a killed process left does not count. */
export async function isRunningElsewhere(dataDir: string, terminalId: string): Promise<boolean> {
  if (!existsSync(lockPath(dataDir, terminalId))) return false;
  const release = await lockTerminal(dataDir, terminalId).catch(() => undefined);
  release?.();
  return release === undefined;
}

/** With credentials from a file nothing is paired: only a server whose key is known can tell that it is in use. */
async function refuseOnline(context: CommandContext, { terminalId, options }: ClaimParts): Promise<void> {
  if (options.credentials === undefined) return;
  if ((options.secretKey ?? readKeys(options.dataDir).secretKey) === undefined) return;
  const { status, body } = await connectApi(context, options).ask('GET', `/sandbox/terminals/${terminalId}`);
  if (status === 200 && (body as { online?: boolean }).online === true) {
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

/** What ends a command whose terminal the broker does not let in any more. */
export interface Eviction {
  refused(terminalId: string, reason: string): void;
  /** Rejects at the first refusal, and never resolves. */
  readonly happened: Promise<never>;
}

/** Turns the first refusal of a terminal's credentials into the Fault that ends its command. */
export function createEviction(): Eviction {
  let reject: (fault: Fault) => void;
  const happened = new Promise<never>((_, fail) => (reject = fail));
  // It may come before it is waited for, or never be.
  happened.catch(() => {});
  return {
    happened,
    refused: (terminalId, reason) =>
      reject(
        new Fault(
          'transport',
          `${terminalId} stops: the broker refuses it (${reason}); it was paired again elsewhere, or deleted`,
        ),
      ),
  };
}
