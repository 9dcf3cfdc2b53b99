import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { healthRoutes } from '../../../../server/platform/http/health.resource.ts';
import { smallServer } from './small-server.ts';

test('HTTP server: on localhost it listens on each of its addresses, and on none after close', async () => {
  const { http } = await smallServer(healthRoutes);
  await http.listen({ host: 'localhost', port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const addresses = await lookup('localhost', { all: true });
  const urls = addresses.map(({ address, family }) =>
    family === 6 ? `http://[${address}]:${port}/healthz` : `http://${address}:${port}/healthz`,
  );
  for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
  await http.close();
  for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('HTTP server: of two with one routing, each answers after the other is closed', async () => {
  const [first, second] = [await smallServer(healthRoutes), await smallServer(healthRoutes)];
  await first.http.close();
  await expect(first.http.inject({ url: '/healthz' })).rejects.toThrow('closed');
  expect((await second.call('GET /healthz')).status).toBe(200);
});
