import { Fault } from '../../protocol/failures.ts';
import type { SandboxInput } from '../../server/sandboxes/sandbox.schema.ts';
import { createApi, httpTransport, pause, type ServerApi } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { DEFAULT_LOCATION } from '../server/default-location.ts';
import { createCarefulClient } from './careful-client.ts';
import { declaredApi, type DeclaredApi } from './declared-api.ts';
import { actInSandbox } from './hands.ts';
import type { Side } from './run-comparison.ts';
import type { Target } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

export interface HereOptions {
  rate: number;
  /** Seconds. */
  patience: number;
}

interface HereParts {
  /** Connects to the server that makes sandboxes. */
  hostOf(context: CommandContext): ServerApi;
  scenarios: readonly Scenario[];
  options: HereOptions;
  receives: Target['receives'];
}

const EXPIRES_SECONDS = 3_600;
const POLL_MS_HERE = 250;
const POLL_MS_THERE = 1_000;
const ONLINE_MS_MAX = 15_000;
/** Begins the paths of terminals. */
const TERMINALS = ' /in-person/terminals';

/** Begins the names of the sandboxes in which scenarios run. */
const NAME = 'compare-';

/**
 * Creates the sandbox of a run: with nothing beyond the specification, and deleted when it was not used for an hour.
 * @param lasting context that goes on after an interruption
 */
export async function openSandboxSide(
  context: CommandContext,
  lasting: CommandContext,
  { hostOf, scenarios, options, receives }: HereParts,
): Promise<{ side: Side; close(): Promise<void> }> {
  const input: SandboxInput = {
    name: `${NAME}${Buffer.from(context.random.bytes(4)).toString('hex')}`,
    strict: 'on',
    pace: 'instant',
    expiresInSeconds: EXPIRES_SECONDS,
  };
  const host = hostOf(context);
  const { name, secretKey, publicKey } = await host.call('POST /sandboxes', { body: input });
  const { url, origin } = host;
  const apiOf = (using: CommandContext) =>
    createApi(using, httpTransport(using, { url, origin }), { url, origin, secretKey });
  const keys = { secret: secretKey, public: publicKey };
  const targetOf = (using: CommandContext) =>
    createTarget(using, { ...options, url, pollMs: POLL_MS_HERE, keys, receives });
  const needsTerminal = scenarios.some(({ steps }) => JSON.stringify(steps).includes(TERMINALS));
  const api = apiOf(context);
  const terminal = needsTerminal ? await addTerminal(context, api) : undefined;
  return {
    side: {
      target: targetOf(context),
      lasting: targetOf(lasting),
      askHand: (text) => actInSandbox(context, { api, terminal }, text),
    },
    async close() {
      await hostOf(lasting).call('DELETE /sandboxes/{name}', { params: { name } });
    },
  };
}

/** Returns the other server as a side of a comparison. */
export function openOtherSide(
  context: CommandContext,
  lasting: CommandContext,
  parts: Pick<Side, 'askHand'> & Pick<Target, 'keys' | 'receives'> & { url: string; options: HereOptions },
): Side {
  const { url, keys, options, askHand, receives } = parts;
  const targetOf = (using: CommandContext) =>
    createTarget(using, { ...options, url, pollMs: POLL_MS_THERE, keys, receives });
  return { target: targetOf(context), lasting: targetOf(lasting), askHand };
}

function createTarget(
  context: CommandContext,
  { url, rate, patience, keys, pollMs, receives }: HereOptions & Omit<Target, 'client'> & { url: string },
): Target {
  const client = createCarefulClient(context, {
    url,
    requestsPerSecond: rate,
    timeoutMs: patience * 1_000,
  });
  return { client, keys, pollMs, receives };
}

/** Adds a simulated terminal at which nobody acts by itself. */
async function addTerminal(
  context: CommandContext,
  api: ServerApi,
): Promise<{ id: string; waitOnline(): Promise<void> }> {
  const { id: locationId } = await api.call('POST /v1/in-person/locations', { body: DEFAULT_LOCATION });
  const body = { serialNumber: 'SIM-COMPARE', locationId };
  const { id } = await api.call('POST /v1/in-person/terminals', { body });
  const waitOnline = () => untilOnline(context, api, id);
  await waitOnline();
  await api.call('POST /sandbox/terminals/{id}/cardholder', { params: { id }, body: { script: 'none' } });
  return { id, waitOnline };
}

async function untilOnline(context: CommandContext, api: ServerApi, id: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < ONLINE_MS_MAX; waitedMs += POLL_MS_HERE) {
    if ((await api.call('GET /sandbox/terminals/{id}', { params: { id } })).online) return;
    await pause(context, POLL_MS_HERE);
  }
  throw new Fault('timed_out', "no simulated terminal came online: 'tapbench up' simulates them");
}

const LETTERS = 'abcdefghjkmnpqrstvwxyz';
const UNIQUE_LETTERS = 12;

/** Returns a text that no other run has. It has no digits, so that it never looks like a card number. */
export function uniqueText({ random }: Pick<CommandContext, 'random'>): string {
  return [...random.bytes(UNIQUE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** Reads what our documents say of the operations. */
export async function loadDeclaredApi(): Promise<DeclaredApi> {
  const [{ openApiDocument }, { ROUTES }] = await Promise.all([
    import('../../server/platform/http/openapi/openapi.ts'),
    import('../../server/routes.ts'),
  ]);
  return declaredApi(openApiDocument(ROUTES));
}
