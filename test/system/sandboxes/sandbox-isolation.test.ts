import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandboxClient, type SandboxClient } from './sandbox-client.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { countFrom } from '../../kit/count-from.ts';

/** More take longer: `CLIENTS=64 npm run test:system`. */
const CLIENTS = countFrom('CLIENTS', 6);

const ID = /\b[a-z]+_[0-9A-Za-z-]{20,}\b/g;

const fixture = createSystemFixture();
let tapbench: Tapbench;
let clients: SandboxClient[];
beforeAll(async () => {
  tapbench = await fixture.tapbench();
  const days = Array.from({ length: CLIENTS }, (_, index) => index + 1);
  clients = await Promise.all(
    days.map(async (each) => openSandboxClient(tapbench, await fixture.receiver(), each)),
  );
});
afterAll(() => fixture.cleanUp());

test('sandboxes: clients at once have no id, key, event or second of another', async () => {
  const owners = new Map<string, number>();
  for (const { sandbox, days, api, read } of clients) {
    const { secretKey, publicKey, dashboardUrl } = sandbox;
    const secrets = [secretKey, publicKey, dashboardUrl.split('=')[1]];
    const found = new Set([...(await read()).matchAll(ID)].map(([id]) => id));
    expect(found.size).toBeGreaterThan(10);
    for (const id of [...found, ...secrets]) {
      expect([id, owners.get(id)]).toEqual([id, undefined]);
      owners.set(id, days);
    }
    const clock = await api('GET', '/sandbox/clock');
    expect([days, clock.body.offsetSeconds]).toEqual([days, days * 86_400]);
  }
});

test('sandboxes: a webhook names its sandbox in a header, unless it is default', async () => {
  for (const { sandbox, receiver } of clients) {
    const names = new Set(receiver.deliveries.map(({ headers }) => headers['tapbench-sandbox']));
    expect([...names]).toEqual([sandbox.name]);
  }
  const receiver = await fixture.receiver();
  const endpoint = { url: receiver.url, active: true, eventTypes: ['Customer.created'] };
  await tapbench.api('POST', '/v1/webhooks', endpoint);
  await tapbench.api('POST', '/v1/customers', { email: 'sam@example.com' });
  await waitFor('the webhook of default', () => receiver.deliveries.length === 1);
  expect(receiver.deliveries[0]?.headers).not.toHaveProperty('tapbench-sandbox');
});

test('sandboxes: an operation with ids of another one refuses them as it refuses ids that nothing has', async () => {
  const [other, own] = clients as [SandboxClient, SandboxClient];
  const operations = operationsWithIds();
  expect(operations.length).toBeGreaterThan(80);
  for (const { method, path } of operations) {
    const [theirs, unknown] = [filled(path, other.ids), filled(path, unknownIds(other.ids))];
    const call = (target: string) => own.api(method, target, method === 'GET' ? undefined : {});
    const [refused, expected] = [await call(theirs), await call(unknown)];
    expect([method, path, [400, 403, 404].includes(refused.status)]).toEqual([method, path, true]);
    expect([method, path, refused.status, refused.body.errors]).toEqual([
      method,
      path,
      expected.status,
      expected.body.errors,
    ]);
  }
  // Its own key reads them.
  for (const path of ['/v1/payment-sessions/{id}', '/v1/events/{eventId}', '/sandbox/actions/{id}'])
    expect([path, (await other.api('GET', filled(path, other.ids))).status]).toEqual([path, 200]);
  const { status } = await own.api('GET', `/sandboxes/${other.sandbox.name}`);
  expect(status).toBe(403);
});

function operationsWithIds(): { method: string; path: string }[] {
  const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'));
  return Object.keys(paths)
    .filter((path) => path.includes('{'))
    .flatMap((path) => Object.keys(paths[path]).map((method) => ({ method: method.toUpperCase(), path })));
}

/** The path with these ids in it; kinds of which the client has none get the id of its event. */
function filled(path: string, ids: SandboxClient['ids']): string {
  return path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, folder: string, name: string) => {
    const id = ids[folder === 'payment-sessions' ? 'paymentSessionId' : name === 'id' ? folder : name];
    return `${folder}/${id ?? ids['eventId']}`;
  });
}

/** Ids of the same form that nothing has. */
function unknownIds(ids: SandboxClient['ids']): SandboxClient['ids'] {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, `${id.slice(0, -6)}000000`]));
}
