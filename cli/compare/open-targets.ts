import type { SandboxInput } from '../../server/sandboxes/sandbox.schema.ts';
import type { ServerApi } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { createCarefulClient } from './careful-client.ts';
import type { Keys } from './request.ts';
import type { Target } from './run-scenario.ts';

const EXPIRES_SECONDS = 3_600;
const POLL_MS_HERE = 250;
const POLL_MS_THERE = 1_000;

/** Begins the names of the sandboxes in which scenarios run. */
const NAME = 'compare-';

type Context = Pick<CommandContext, 'fetch' | 'clock' | 'interrupted' | 'random'>;

/** Creates the sandbox of a run: with nothing beyond the specification, and deleted when it was not used for an hour. */
export async function createOwnSandbox(
  { random }: Pick<Context, 'random'>,
  host: ServerApi,
): Promise<{ name: string; secretKey: string; publicKey: string }> {
  const input: SandboxInput = {
    name: `${NAME}${Buffer.from(random.bytes(4)).toString('hex')}`,
    strict: 'on',
    pace: 'instant',
    expiresInSeconds: EXPIRES_SECONDS,
  };
  return host.call('POST /sandboxes', { body: input });
}

/** Returns a server at which scenarios run. @param isOurs whether it is this Tapbench, which may be asked more often */
export function createTarget(
  context: Context,
  address: { url: string; requestsPerSecond: number; isOurs: boolean },
  keys: Keys,
): Target {
  return {
    client: createCarefulClient(context, address),
    keys,
    pollMs: address.isOurs ? POLL_MS_HERE : POLL_MS_THERE,
  };
}

const LETTERS = 'abcdefghjkmnpqrstvwxyz';
const UNIQUE_LETTERS = 12;

/** Returns a text that no other run has. It has no digits, so that it never looks like a card number. */
export function uniqueText({ random }: Pick<Context, 'random'>): string {
  return [...random.bytes(UNIQUE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}
