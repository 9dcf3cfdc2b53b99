import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { createLog } from '../../protocol/log.ts';
import { openSqlite } from '../../server/platform/store/sqlite.ts';
import type * as userWorld from '../../test/kit/user-world.ts';
import { timeEach } from '../measure.ts';
import { handleParentRequests } from './parent-requests.ts';

export interface WorldsRequest {
  count: number;
  /** Path of the built module that is published as `tapbench/world`; without it the baseline is measured. */
  module: string | undefined;
  /** Whether each world is a fork of one with a terminal and a payment, or starts and gets them; it has neither by default. */
  begin?: 'fork' | 'prepare' | undefined;
}

type End = () => Promise<void>;

/** Starts one server and calls it once. Returns what closes it. */
type Start = (index: number) => Promise<End>;

const log = createLog({ level: 'error' });

let forks: Start | undefined;

handleParentRequests({
  /** Starts worlds one at a time. Returns the times from start to first response, milliseconds. */
  async measure({ count, module, begin }: WorldsRequest): Promise<number[]> {
    const times: number[] = [];
    if (module !== undefined && begin === 'fork') forks ??= await forksOf(module);
    const start = module === undefined ? startBare : (forks ?? (await startOf(module, begin === 'prepare')));
    for (let index = 0; index < count; index += 1) {
      let end: End | undefined;
      times.push(...(await timeEach(1, async () => void (end = await start(index)))));
      await end?.();
    }
    return times;
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

async function startBare(): Promise<End> {
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
