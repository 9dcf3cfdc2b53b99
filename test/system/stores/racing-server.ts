import { onTestFinished } from 'vitest';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import type { SandboxServices } from '../../../server/area-ports.ts';
import { bootstrapAccounts, type FirstAccounts } from '../../../server/api/bootstrap/bootstrap.ts';
import { createHttpServer } from '../../../server/platform/http/http-server.ts';
import { contextsOfOne, createContext } from '../../../server/platform/http/request-context.ts';
import type { Route } from '../../../server/platform/http/route.ts';
import { sandboxSettingsOf } from '../../../server/platform/own-settings.schema.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Store } from '../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { fakeGateway } from '../../server/platform/http/fake-gateway.ts';
import { fakeJobs } from '../../server/platform/http/fake-jobs.ts';
import { smallRouting } from '../../server/platform/http/small-routing.ts';
import { testServices } from '../../server/test-services.ts';
import type { Contender } from './interleavings.ts';

// oxlint-disable-next-line no-explicit-any -- what a reply has depends on its operation
type Json = any;

/** A server on PostgreSQL whose requests race each other. Its jobs are never done. */
export interface RacingServer extends FirstAccounts {
  store: Store;
  services: SandboxServices;
  /** Sends a request that must succeed, and resolves with its body. */
  made(path: string, body: object, headers?: Record<string, string>): Promise<Json>;
  /** A request with a store of its own; resolves with its status, and the message of a refusal. */
  request(operation: string, body: object, headers?: Record<string, string>): Contender;
  /** Returns a function that gives tables the rows that they have now. */
  keep(tables: readonly string[]): Promise<(store: Store) => Promise<void>>;
}

export async function openRacingServer(url: string, routes: readonly Route[]): Promise<RacingServer> {
  const store = await openStore({ databaseUrl: url, log: silentLog });
  onTestFinished(() => store.close());
  const clock = new VirtualClock(Date.UTC(2026, 2, 2, 12));
  const services = testServices(
    {
      store,
      clock,
      random: seededRandom('racing server'),
      settings: sandboxSettingsOf({ idempotencyKeys: 'on' }),
    },
    { gateway: fakeGateway(), jobs: fakeJobs() },
  );
  const accounts = await bootstrapAccounts(services);
  const routing = await smallRouting(routes, services.settings.mode);

  async function call(
    own: Store,
    operation: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> {
    const http = createHttpServer(routing, contextsOfOne(createContext({ ...services, store: own })));
    const [method, path] = operation.split(' ') as ['POST' | 'PATCH' | 'DELETE', string];
    const authorization = services.settings.secretKey;
    const answer = await http.inject({
      method,
      url: path,
      payload: JSON.stringify(body),
      headers: { authorization, 'content-type': 'application/json', ...headers },
    });
    await http.close();
    return { status: answer.statusCode, text: answer.body };
  }

  return {
    ...accounts,
    store,
    services,
    async made(path, body, headers) {
      const { status, text } = await call(store, `POST ${path}`, body, headers);
      if (status >= 300) throw new Error(`${path}: ${text}`);
      return JSON.parse(text);
    },
    request: (operation, body, headers) => async (own) => {
      const { status, text } = await call(own, operation, body, headers);
      const { errors } = JSON.parse(text) as { errors?: { message: string }[] };
      return errors === undefined ? status : `${status} ${errors[0]!.message}`;
    },
    async keep(tables) {
      for (const table of tables) await store.run(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
      return async (prepared) => {
        for (const table of tables) {
          await prepared.run(`DELETE FROM ${table}`);
          await prepared.run(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`);
        }
      };
    },
  };
}
