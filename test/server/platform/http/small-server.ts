import { onTestFinished } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { seededRandom } from '../../../../protocol/ids.ts';
import { createLog } from '../../../../protocol/log.ts';
import { bootstrapAccounts, type FirstAccounts } from '../../../../server/api/bootstrap/bootstrap.ts';
import { createHttpServer, type HttpServer } from '../../../../server/platform/http/http-server.ts';
import { contextsOfOne, createContext } from '../../../../server/platform/http/request-context.ts';
import type { Route } from '../../../../server/platform/http/route.ts';
import type { Activity } from '../../../../server/platform/activities.ts';
import type { Services } from '../../../../server/platform/services.ts';
import type { SandboxServices } from '../../../../server/area-ports.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { fakeGateway, type FakeGateway } from './fake-gateway.ts';
import { fakeJobs } from './fake-jobs.ts';
import { smallRouting } from './small-routing.ts';
import { recordSteps } from '../record-steps.ts';
import type { ServerSettings } from '../../../../server/platform/settings.ts';
import type { Overrides } from '../../../../server/create-services.ts';
import { testServices } from '../../test-services.ts';
import type { Certificates } from '../../../../server/sandbox-controls/certificates/certificates.ts';
import type { Recordings } from '../../../../server/traces/recordings.ts';

export const START_MS = Date.UTC(2025, 5, 2, 12);

/** An HTTP server with some routes on a real store, and nothing else of Tapbench around it. */
export interface SmallServer extends FirstAccounts {
  http: HttpServer;
  services: SandboxServices;
  gateway: FakeGateway;
  /** Sandbox time and real time; both stand still. */
  clock: VirtualClock;
  realClock: VirtualClock;
  activities: Activity[];
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

interface Replaced extends Overrides {
  store?: Services['store'];
  /** None otherwise. */
  recordings?: Pick<Recordings, 'list' | 'find'>;
  certificates?: Pick<Certificates, 'list' | 'find'>;
}

/**
 * @param replaced services that are not as on every small server
 * @param addMore adds what it serves beside the routes, such as pages
 */
export async function smallServer(
  routes: readonly Route[],
  settings: Partial<ServerSettings> = {},
  replaced: Replaced | ((outside: Pick<Services, 'store' | 'realClock'>) => Replaced) = {},
  addMore?: (http: FastifyInstance) => void,
): Promise<SmallServer> {
  const logged: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } });
  const [clock, realClock] = [new VirtualClock(START_MS), new VirtualClock(START_MS)];
  const opened = await openStore({ path: ':memory:', log });
  const gateway = fakeGateway();
  const { store = opened, ...overrides } =
    typeof replaced === 'function' ? replaced({ store: opened, realClock }) : replaced;
  const random = seededRandom('small server');
  const services = testServices(
    { store, clock, realClock, random, log, settings },
    { gateway, jobs: fakeJobs(), ...overrides },
  );
  const activities: Activity[] = [];
  services.activities.listen('test', (activity) => activities.push(activity));
  recordSteps(services);
  const accounts = await bootstrapAccounts(services);
  const http = createHttpServer(
    await smallRouting(routes, services.settings.mode, addMore),
    contextsOfOne(createContext(services)),
  );
  onTestFinished(async () => {
    await http.close();
    await opened.close();
  });
  const { secretKey } = services.settings;
  return {
    ...accounts,
    http,
    services,
    gateway,
    clock,
    realClock,
    activities,
    logged,
    call: caller(http, secretKey),
  };
}

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
