import { onTestFinished } from 'vitest';
import { seededRandom } from '../../../../protocol/ids.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { bootstrapAccounts } from '../../../../server/api/bootstrap/bootstrap.ts';
import { registerDelivery } from '../../../../server/platform/outbox/delivery.ts';
import { raise } from '../../../../server/api/webhooks/event-log.ts';
import { eventRoutes } from '../../../../server/api/webhooks/event.resource.ts';
import type { EventType } from '../../../../server/api/webhooks/event-types.ts';
import { webhookRoutes } from '../../../../server/api/webhooks/webhook.resource.ts';
import type { WebhookCreated } from '../../../../server/api/webhooks/webhook.schema.ts';
import { createHttpServer } from '../../../../server/platform/http/http-server.ts';
import { contextsOfOne, createContext } from '../../../../server/platform/http/request-context.ts';
import type { Activity } from '../../../../server/platform/activities.ts';
import type { SandboxClock } from '../../../../server/platform/sandbox-clock.ts';
import type { Services } from '../../../../server/platform/services.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { scriptedOutgoing, type ScriptedOutgoing } from './scripted-outgoing.ts';
import type { Mode, ServerSettings } from '../../../../server/platform/settings.ts';
import { smallRouting } from '../http/small-routing.ts';
import { testServices } from '../../test-services.ts';

const ROUTES = [...webhookRoutes, ...eventRoutes];

export const START_MS = 1_760_000_000_000;
const KEYS = {
  sandbox: { secretKey: 'sk_sandbox_events', publicKey: 'pk_sandbox_events' },
  live: { secretKey: 'sk_events', publicKey: 'pk_events' },
};

/** The event side of a server, on time that stands still. */
export interface EventServer {
  services: Services;
  clock: VirtualClock;
  outgoing: ScriptedOutgoing;
  activities: Activity[];
  platformId: string;
  subAccountId: string;
  /** Calls the API with the platform's secret key. */
  call<T = Record<string, unknown>>(
    operation: string,
    options?: { body?: unknown; account?: string },
  ): Promise<{ status: number; body: T }>;
  register(path: string, eventTypes: EventType[]): Promise<WebhookCreated>;
  /** Records an event in a transaction of its own; answers its id. */
  record(type: EventType, data?: { id: string }, accountId?: string): Promise<string>;
  settled(): Promise<void>;
  /** Forgets this process as a power cut would, and starts another on the same store. */
  restart(): Promise<void>;
}

interface EventServerOptions {
  mode?: Mode;
  /** In memory by default; closed when the test ends. */
  store?: Store;
}

export async function startEventServer({
  mode = 'sandbox',
  store: given,
}: EventServerOptions = {}): Promise<EventServer> {
  const clock = new VirtualClock(START_MS, settled);
  const store = given ?? (await openStore({ log: silentLog }));
  const random = seededRandom('events');
  const outgoing = scriptedOutgoing(clock);
  const told: Activity[] = [];
  const settings: ServerSettings = {
    mode,
    ...KEYS[mode],
    pairingSecret: '',
    dashboardToken: '',
    rateLimit: 'off',
    magicAmounts: 'off',
    publicUrl: '',
  };

  function startProcess(instanceId: string) {
    const time = mortal(clock);
    const services = testServices({ settings, clock: time, random, store, outgoing, instanceId });
    services.activities.listen('test', (activity) => told.push(activity));
    registerDelivery(services);
    services.jobs.start();
    return { services, kill: time.kill };
  }

  let current = startProcess('first');
  const accounts = await bootstrapAccounts(current.services);
  const http = createHttpServer(await smallRouting(ROUTES), contextsOfOne(createContext(current.services)));
  onTestFinished(async () => {
    outgoing.releaseAll();
    await current.services.jobs.stop();
    await http.close();
    await store.close();
  });

  const server: EventServer = {
    get services() {
      return current.services;
    },
    clock,
    outgoing,
    activities: told,
    ...accounts,
    async call<T>(operation: string, { body, account }: { body?: unknown; account?: string } = {}) {
      const [method, path] = operation.split(' ') as ['GET', string];
      const answer = await http.inject({
        method,
        url: `/v1${path}`,
        headers: { authorization: settings.secretKey, ...(account ? { account } : {}) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, body: answer.json<T>() };
    },
    async register(path, eventTypes) {
      const body = { url: `http://shop.test${path}`, active: true, eventTypes };
      return (await server.call<WebhookCreated>('POST /webhooks', { body })).body;
    },
    async record(type, data = { id: 'cus_1' }, accountId = accounts.platformId) {
      await store.transaction(async (tx) => raise(tx, current.services, { type, accountId, data }));
      const row = await store.get<{ id: string }>(`SELECT id FROM events ORDER BY seq DESC LIMIT 1`);
      return row!.id;
    },
    settled: () => clock.advance(0),
    async restart() {
      current.kill();
      current = startProcess('second');
      await settled();
    },
  };
  return server;
}

/** A clock that wakes nobody any more once its process is dead. */
function mortal(clock: VirtualClock): SandboxClock & { kill(): void } {
  let alive = true;
  return {
    nowMs: () => clock.nowMs(),
    at: (atMs, run) => clock.at(atMs, () => alive && run()),
    offsetMs: 0,
    setOffset: () => undefined,
    kill: () => void (alive = false),
  };
}

// Nothing here waits for the real world, so after this many turns of the event loop everything is at rest.
const TURNS = 60;

async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
