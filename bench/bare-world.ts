import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '../protocol/log.ts';
import { openSqlite } from '../server/platform/store/sqlite.ts';

/** Closes a world. */
export type End = () => Promise<void>;

const log = createLog({ level: 'error' });

/** Starts the baseline of a test world: an empty SQLite database and a `node:http` server, called once. */
export async function startBareWorld(): Promise<End> {
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
