import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '../protocol/log.ts';
import { openSqlite } from '../server/platform/store/sqlite.ts';
import { startWorld } from '../test/kit/user-world.ts';
import type { BenchOptions } from './bench-options.ts';
import { alternate, msSince } from './measure.ts';
import type { Result } from './report.ts';
import { timesResult } from './times-result.ts';

const AIM_MS = 10;

const log = createLog({ level: 'error' });

/** Measures the time from the start of a test world to the response of its first call, in a process that has started some. */
export async function benchWorld({ quick }: BenchOptions): Promise<Result[]> {
  const [rounds, worlds] = quick ? [3, 10] : [7, 50];
  const taken = await alternate(
    rounds,
    () => timesOf(worlds, startBare),
    () => timesOf(worlds, startOurs),
  );
  return [
    timesResult({
      name: 'a test world, start to first call',
      aimMs: AIM_MS,
      taken,
      tail: 0.9,
      details: [
        'ours: `startWorld` of tapbench/world and a GET of the customers, in one process; closing is not counted',
        'bare: an empty SQLite database with one table, a node:http server on a port, and a GET of the rows',
      ],
    }),
  ];
}

/** Starts one server and calls it once. Returns what closes it. */
type Start = (index: number) => Promise<() => Promise<void>>;

async function timesOf(count: number, start: Start): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startNs = process.hrtime.bigint();
    const close = await start(index);
    times.push(msSince(startNs));
    await close();
  }
  return times;
}

async function startOurs(index: number): Promise<() => Promise<void>> {
  const world = await startWorld({ seed: `bench ${index}` });
  const { status } = await world.api.get('/v1/customers');
  if (status !== 200) throw new Error(`the world responded ${status}`);
  return () => world.close();
}

async function startBare(): Promise<() => Promise<void>> {
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
