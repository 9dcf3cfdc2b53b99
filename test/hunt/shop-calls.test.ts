import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { SystemClock } from '../../protocol/clock.ts';
import { listenOn } from '../../server/platform/listen.ts';
import { createCustomers } from '../../testing/hunt/command/customers.ts';
import { parseShopCalls } from '../../world/shop-calls.ts';

/** Opens a shop that replies as it is told, and keeps what is posted to it. */
async function openShop(reply: (path: string, nth: number) => number | 'none') {
  const posted: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const status = reply(request.url!, posted.push(`${request.url} ${body}`));
      if (status === 'none') response.destroy();
      else response.writeHead(status).end('no');
    });
  });
  const { port } = await listenOn(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());
  return { port, posted };
}

test('createCustomers: sends calls that are beside one another together, others when the shop is quiet', async () => {
  const { port, posted } = await openShop(() => 200);
  const calls = parseShopCalls('[{"path":"/a","body":{"n":1}},{"path":"/b","beside":true},{"path":"/c"}]');
  const quiet: number[] = [];
  const customers = createCustomers(calls, {
    port,
    clock: new SystemClock(),
    quiet: async () => void quiet.push(posted.length),
  });
  expect(customers.isDone).toBe(false);
  await customers.send(() => true);
  expect([customers.isDone, customers.problem, quiet]).toEqual([true, undefined, [2]]);
  expect(posted.slice(0, 2).toSorted()).toEqual(['/a {"n":1}', '/b ']);
  expect(posted.slice(2)).toEqual(['/c ']);
});

test('createCustomers: sends a call again while there is no reply, and keeps why one failed', async () => {
  const { port, posted } = await openShop((path, nth) => (path === '/b' ? 409 : nth < 3 ? 'none' : 200));
  const customers = createCustomers([{ path: '/a' }, { path: '/b' }], {
    port,
    clock: new SystemClock(),
    quiet: () => Promise.resolve(),
  });
  await customers.send(() => true);
  expect(posted).toEqual(['/a ', '/a ', '/a ', '/b ']);
  expect([customers.isDone, customers.problem]).toEqual([true, 'POST /b got 409: no']);
});

test('createCustomers: gives up when it is over', async () => {
  const { port, posted } = await openShop(() => 'none');
  const customers = createCustomers([{ path: '/a' }], {
    port,
    clock: new SystemClock(),
    quiet: () => Promise.resolve(),
  });
  await customers.send(() => posted.length < 2);
  expect([customers.isDone, customers.problem]).toEqual([false, 'nothing replied to POST /a']);
});

test.each([
  ['{}', 'the calls must be'],
  ['[]', 'the calls must'],
  ['[{"path":"orders"}]', 'calls.0.path must be a string that matches ^/'],
  ['[{"path":"/orders","boby":{}}]', 'calls.0'],
  ['[', 'JSON'],
])('parseShopCalls: names what is wrong with %s', (calls, problem) => {
  expect(() => parseShopCalls(calls)).toThrow(problem);
});
