import { Fault } from '../../protocol/failures.ts';
import type { SandboxInput } from '../../server/sandboxes/sandbox.schema.ts';
import { createApi, httpTransport, pause, replyOf, type ServerApi } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { DEFAULT_LOCATION } from '../server/default-location.ts';
import { startWebhookReceiver } from '../client/webhook-receiver.ts';
import { twinOf } from '../../simulator/twins/twins.ts';
import type { Drill } from './drill.ts';
import type { Json, Stage } from './stage.ts';

/** A sandbox that was created for a drill. */
export interface DrillSandbox {
  name: string;
  stage: Stage;
  /** Of a simulated terminal that is online; undefined for a drill without one. */
  terminalId: string | undefined;
  /** Whether nothing was in it before: it is no fork. */
  isNew: boolean;
}

interface Parts {
  host: ServerApi;
  /** Name of the drill. */
  name: string;
  drill: Pick<Drill, 'onTerminal' | 'twin'>;
  /** Sandbox to fork; a new one when undefined. */
  from: string | undefined;
  /** Whether the webhook endpoints of that sandbox get the events of the drill. */
  keepsWebhooks: boolean;
}

const EXPIRES_SECONDS = 3_600;
const ONLINE_MS_MAX = 15_000;
const POLL_MS = 100;

/** Creates the sandbox of a drill, which is deleted when it was not used for an hour, with a terminal if it needs one. */
export async function createDrillSandbox(context: CommandContext, parts: Parts): Promise<DrillSandbox> {
  const { host, drill, from, keepsWebhooks } = parts;
  const input: SandboxInput = {
    name: `drill-${parts.name}-${Buffer.from(context.random.bytes(3)).toString('hex')}`,
    expiresInSeconds: EXPIRES_SECONDS,
    ...(from !== undefined && { from }),
    ...(from !== undefined && !keepsWebhooks && { webhooks: 'off' as const }),
  };
  const { name, secretKey, accountId, dashboardUrl } = await host.call('POST /sandboxes', { body: input });
  const token = dashboardUrl.split('#token=')[1]!;
  const stage = stageOf(context, { url: host.url, secretKey, token });
  const terminalId = drill.onTerminal ? await terminalOf(stage, accountId, drill.twin) : undefined;
  return { name, stage, terminalId, isNew: from === undefined };
}

/** What the token of the dashboard opens. */
const FOR_PAGES = /^\/sandbox\/(faults|objects)\b/;

interface StageKeys {
  url: string;
  secretKey: string;
  /** Of the dashboard: what only reads with it is in no recording. */
  token: string;
}

function stageOf(context: CommandContext, { url, secretKey, token }: StageKeys): Stage {
  const apiOf = (account?: string, key = secretKey) =>
    createApi(context, httpTransport(context, { url }), { url, secretKey: key, account });
  const platform = apiOf();
  const watching = apiOf(undefined, token);
  return {
    url,
    secretKey,
    fetch: context.fetch,
    async backstage(method, path, body, subAccountId) {
      const own = method === 'GET' && FOR_PAGES.test(path) ? watching : platform;
      const api = subAccountId === undefined ? own : apiOf(subAccountId);
      return replyOf<Json>(api, { method, path }, await api.ask(method, path, body));
    },
    sleep: (ms) => pause(context, ms),
    advance: async (seconds) =>
      void (await platform.call('POST /sandbox/clock/advance', { body: { seconds } })),
    receive: (secret, onDelivery) => startWebhookReceiver({ fetch: context.fetch, secret, onDelivery }),
  };
}

/**
 * Returns a terminal of the account that is free, or registers one; waits until it is online.
 * @param twin the language of the payment terminal beside it; undefined for one without
 */
async function terminalOf(
  { backstage, sleep }: Stage,
  accountId: string,
  twin: string | undefined,
): Promise<string> {
  const { items } = await backstage('GET', '/sandbox/terminals');
  const free = items.find(
    (item: Json) =>
      item.accountId === accountId &&
      item.serialNumber.startsWith('SIM') &&
      twinOf(item.serialNumber) === twin &&
      item.action?.status !== 'InProgress',
  );
  const id = free?.id ?? (await registerTerminal(backstage, twin));
  for (let waited = 0; waited < ONLINE_MS_MAX; waited += POLL_MS) {
    if ((await backstage('GET', `/sandbox/terminals/${id}`)).online) return id;
    await sleep(POLL_MS);
  }
  throw new Fault('timed_out', "no simulated terminal came online: 'tapbench up' simulates them");
}

async function registerTerminal(backstage: Stage['backstage'], twin?: string): Promise<string> {
  const location = await backstage('POST', '/v1/in-person/locations', DEFAULT_LOCATION);
  const serialNumber = twin === undefined ? 'SIM-DRILL' : `SIM-${twin.toUpperCase()}-DRILL`;
  const terminal = { serialNumber, locationId: location.id };
  return (await backstage('POST', '/v1/in-person/terminals', terminal)).id;
}
