import { onTestFinished } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { createIds, seededRandom } from '../../../../protocol/ids.ts';
import { createSerialQueue } from '../../../../protocol/serial-queue.ts';
import { createLog } from '../../../../protocol/log.ts';
import { bootstrapAccounts, type FirstAccounts } from '../../../../server/api/bootstrap/bootstrap.ts';
import { createHttpServer, type HttpServer } from '../../../../server/platform/http/http-server.ts';
import { contextsOfOne, createContext } from '../../../../server/platform/http/request-context.ts';
import type { Route } from '../../../../server/platform/http/route.ts';
import { createRateLimits } from '../../../../server/platform/rate-limit.ts';
import { createClockAdvances } from '../../../../server/platform/clock-advance/clock-advances.ts';
import { createDomainEvents } from '../../../../server/platform/domain-events.ts';
import { recordEvents } from '../../../../server/api/webhooks/event-log.ts';
import { createObservers } from '../../../../server/platform/observers.ts';
import { createNotices, type Notice } from '../../../../server/platform/notices.ts';
import type { Services } from '../../../../server/platform/services.ts';
import { createTraffic } from '../../../../server/platform/traffic.ts';
import { createSimulation } from '../../../../server/sandbox-controls/simulation.ts';
import { watchTerminalStates } from '../../../../server/platform/broker/terminal-states.ts';
import { createStoreCheck } from '../../../../server/platform/store/store-watch.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { fakeGateway, type FakeGateway } from './fake-gateway.ts';
import { fakeJobs } from './fake-jobs.ts';
import { smallRouting } from './small-routing.ts';
import { recordSteps } from '../machine-step-notices.ts';
import type { ServerSettings } from '../../../../server/platform/settings.ts';
import { AREA_PORTS } from '../../../../server/area-ports.ts';

export const START_MS = Date.UTC(2025, 5, 2, 12);

const KEYS: Record<ServerSettings['mode'], { secretKey: string; publicKey: string }> = {
  sandbox: { secretKey: 'sk_sandbox_a+b/c=', publicKey: 'pk_sandbox_a+b/c=' },
  live: { secretKey: 'sk_live_a+b/c=', publicKey: 'pk_live_a+b/c=' },
};

/** An HTTP server with some routes on a real store, and nothing else of Tapbench around it. */
export interface SmallServer extends FirstAccounts {
  http: HttpServer;
  services: Services;
  gateway: FakeGateway;
  /** Sandbox time and real time; both stand still. */
  clock: VirtualClock;
  realClock: VirtualClock;
  notices: Notice[];
  /** What was logged, line by line. */
  logged: string[];
  /** One request with the secret key, unless `headers` say otherwise; `null` leaves a header out. */
  call(operation: string, options?: CallOptions): Promise<Answer>;
}

interface CallOptions {
  body?: unknown;
  /** A body as it is, in place of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string | null | undefined>;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  /** Untyped: tests look into answers freely, and fail when something is not there. */
  body: ReturnType<JSON['parse']>;
  text: string;
}

/**
 * @param replaced services that are not as on every small server
 * @param addMore adds what it serves beside the routes, such as pages
 */
export async function smallServer(
  routes: readonly Route[],
  settings: Partial<ServerSettings> = {},
  replaced: Partial<Services> | ((services: Services) => Partial<Services>) = {},
  addMore?: (http: FastifyInstance) => void,
): Promise<SmallServer> {
  const logged: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } });
  const [clock, realClock] = [new VirtualClock(START_MS), new VirtualClock(START_MS)];
  const store = await openStore({ path: ':memory:', log });
  const gateway = fakeGateway();
  const mode = settings.mode ?? 'sandbox';
  const random = seededRandom('small server');
  const ids = createIds(clock, random);
  const observers = createObservers({ log, clock: realClock });
  const smallNotices = createNotices(observers);
  const allSettings = { ...DEFAULTS, ...KEYS[mode], mode, ...settings };
  const own: Services = {
    settings: allSettings,
    ...AREA_PORTS,
    clock,
    clockAdvances: createClockAdvances({ clock, gateway, log, notices: smallNotices, realClock, store }),
    realClock,
    ids,
    random,
    log,
    store,
    jobs: fakeJobs(),
    gateway,
    outgoing: {
      post: () => Promise.reject(new Error('no way out')),
      get: () => Promise.reject(new Error('no way out')),
      allowed: async () => true,
      close: async () => {},
    },
    domainEvents: createDomainEvents((tx, events) => recordEvents(tx, services, events)),
    notices: smallNotices,
    observers,
    traffic: createTraffic(observers),
    simulation: createSimulation({ gateway, ids, realClock }),
    terminalMachine: { states: [], effects: [] },
    terminalStates: watchTerminalStates(gateway, smallNotices),
    storeProblem: createStoreCheck(store, realClock),
    resets: createSerialQueue(),
    rateLimits: createRateLimits(allSettings, realClock),
  };
  const services = { ...own, ...(typeof replaced === 'function' ? replaced(own) : replaced) };
  const notices: Notice[] = [];
  services.notices.listen('test', (notice) => notices.push(notice));
  recordSteps(services);
  const accounts = await bootstrapAccounts(services);
  const http = createHttpServer(
    await smallRouting(routes, mode, addMore),
    contextsOfOne(createContext(services)),
  );
  onTestFinished(async () => {
    await http.close();
    await store.close();
  });
  const { secretKey } = services.settings;
  return {
    ...accounts,
    http,
    services,
    gateway,
    clock,
    realClock,
    notices,
    logged,
    call: caller(http, secretKey),
  };
}

const DEFAULTS = {
  pairingSecret: 'a pairing secret for tests, long enough',
  dashboardToken: 'dash_a-token-for-tests-that-is-long-enough',
  rateLimit: 'off',
  magicAmounts: undefined,
  publicUrl: 'http://tapbench.test',
} as const;

function caller(http: HttpServer, secretKey: string): SmallServer['call'] {
  return async (operation, { body, raw, headers = {} } = {}) => {
    const [method, url] = operation.split(' ') as ['GET', string];
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const given = { authorization: secretKey, ...headers };
    const kept = Object.entries(given).filter((entry) => typeof entry[1] === 'string');
    const answer = await http.inject({
      method,
      url,
      headers: Object.fromEntries(kept),
      ...(payload === undefined ? {} : { payload }),
    });
    const text = answer.body;
    return { status: answer.statusCode, headers: answer.headers, body: parsed(text), text };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
