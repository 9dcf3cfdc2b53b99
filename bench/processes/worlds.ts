import { pathToFileURL } from 'node:url';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as userWorld from '../../testing/world/user-world.ts';
import { timeEach } from '../measure.ts';
import { handleParentRequests } from './parent-requests.ts';
import type * as hunting from '../../testing/hunt/hunt.ts';
import { bodyOf, fetchTransport, jsonCall } from '../../protocol/api-call.ts';
import { createLog } from '../../protocol/log.ts';
import { openSqlite } from '../../server/platform/store/sqlite.ts';

export interface WorldsRequest {
  count: number;
  /** Path of the built module that is published as `tapbench/world`; without it the baseline is measured. */
  module: string | undefined;
  /** Whether each world is a fork of one with a terminal and a payment, or starts and gets them; it has neither by default. */
  begin?: 'fork' | 'prepare' | undefined;
}

export interface HuntsRequest {
  plans: number;
  /** Path of the built module that is published as `tapbench/hunt`; without it the baseline is measured. */
  module: string | undefined;
}

/** Closes a world. */
type End = () => Promise<void>;

/** Starts one server and calls it once. Returns what closes it. */
type Start = (index: number) => Promise<End>;

let forks: Start | undefined;

handleParentRequests({
  /** Starts worlds one at a time. Returns the times from start to first response, milliseconds. */
  async measureWorlds({ count, module, begin }: WorldsRequest): Promise<number[]> {
    const times: number[] = [];
    if (module !== undefined && begin === 'fork') forks ??= await forksOf(module);
    const start =
      module === undefined ? startBareWorld : (forks ?? (await startOf(module, begin === 'prepare')));
    for (let index = 0; index < count; index += 1) {
      let end: End | undefined;
      times.push(...(await timeEach(1, async () => void (end = await start(index)))));
      await end?.();
    }
    return times;
  },
  /** Tries plans of faults. Returns the plans for each second of CPU time. */
  async measureHunts({ plans, module }: HuntsRequest): Promise<number> {
    const before = process.cpuUsage();
    const tried = module === undefined ? await openBareWorlds(plans) : await tryPlans(plans, module);
    const { user, system } = process.cpuUsage(before);
    return (tried * 1_000_000) / (user + system);
  },
});

async function startOf(module: string, prepare: boolean): Promise<Start> {
  const { startWorld } = (await import(pathToFileURL(module).href)) as typeof userWorld;
  return async (index) => {
    const world = await startWorld({ seed: `bench ${index}` });
    if (prepare) await (await world.openTill()).takes(1742);
    const { status } = await world.api.get('/v1/customers');
    if (status !== 200) throw new Error(`the world responded ${status}`);
    return () => world.close();
  };
}

/** Prepares a world once for all rounds. */
async function forksOf(module: string): Promise<Start> {
  const { startWorld } = (await import(pathToFileURL(module).href)) as typeof userWorld;
  const prepared = await startWorld({ seed: 'bench' });
  const till = await prepared.openTill();
  await till.takes(1742);
  return async () => {
    const world = await prepared.fork();
    const { status } = await world.api.get('/v1/customers');
    if (status !== 200) throw new Error(`the world responded ${status}`);
    return () => world.close();
  };
}

async function openBareWorlds(count: number): Promise<number> {
  for (let index = 0; index < count; index += 1) await (await startBareWorld())();
  return count;
}

const PAYMENT = {
  amounts: { requested: 1742 },
  currency: 'GBP',
  paymentSession: { metadata: { orderId: 'order-1' } },
};

// Longer than an action at a terminal lasts, whatever strikes it.
const ASKS_MAX = 60;
const ASK_EVERY_MS = 15_000;

/** Hunts in a till that does nothing wrong, so that every plan is tried. */
async function tryPlans(plans: number, module: string): Promise<number> {
  const { hunt } = (await import(pathToFileURL(module).href)) as typeof hunting;
  let isPaid = false;
  const { plans: tried, found } = await hunt({
    plans,
    seconds: 600,
    prepare: (world) => world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } }),
    async scenario({ world, fetch, till, sleep }) {
      isPaid = false;
      // oxlint-disable-next-line no-explicit-any -- replies of the API
      const call = async (method: string, path: string, body?: object): Promise<any> => {
        const sent = jsonCall(world, { method, path: `/v1${path}`, body });
        const reply = await fetchTransport(fetch, world.url)(sent).catch(() => undefined);
        return reply?.status === 200 ? bodyOf(reply) : undefined;
      };
      let sessionId: string | undefined;
      for (let asked = 0; asked < ASKS_MAX && !isPaid; asked += 1) {
        const path = `/in-person/terminals/${till.terminal.terminalId}/payment`;
        // The reply to a payment that was started may have been lost.
        const sessions =
          sessionId === undefined ? (await call('GET', '/payment-sessions'))?.items : undefined;
        if (sessions?.length === 0)
          sessionId = (await call('POST', path, PAYMENT))?.action.transaction.paymentSessionId;
        else sessionId ??= sessions?.[0]?.id;
        if (sessionId !== undefined)
          isPaid = (await call('GET', `/payment-sessions/${sessionId}`))?.status === 'Captured';
        if (!isPaid) await sleep(ASK_EVERY_MS);
      }
    },
    shop: () => ({ orders: [{ orderId: 'order-1', paid: isPaid, amount: PAYMENT.amounts.requested }] }),
  });
  if (found) throw new Error(`the till does something wrong: ${found.verdict}`);
  return tried;
}

const log = createLog({ level: 'error' });

/** Starts the baseline of a test world: an empty SQLite database and a `node:http` server, called once. */
async function startBareWorld(): Promise<End> {
  const store = await openSqlite({ path: ':memory:', log });
  await store.run('CREATE TABLE customers (id TEXT PRIMARY KEY)');
  const http = createServer((_request, response) => {
    void store.all('SELECT * FROM customers').then((rows) => response.end(JSON.stringify({ items: rows })));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/v1/customers`);
  await response.json();
  return async () => {
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
    await store.close();
  };
}
