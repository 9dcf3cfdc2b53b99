import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HuntedFault } from '../../../testing/hunt/hunt.ts';
import { startCommand } from '../kit/child-command.ts';
import { judgeCommand } from '../kit/judge-command.ts';

const STOP = { at: 'integrator', what: 'stop-before-reply', when: { nth: 1 } } as const;

const PATHS = { sell: '/orders', books: '/books', webhooks: '/webhooks' };

test('hunt --process: a process beside the shop is stopped by itself, is down, and is started again', async () => {
  const { shop, worker } = shopAndWorker();
  const paths = { sell: '/orders', books: '/books', processes: { worker } };
  const calm = await judgeCommand(shop, [], paths);
  expect(calm).toMatchObject({ verdict: undefined, restartable: 0, recoveries: [] });
  expect(calm.processes).toEqual({ worker: { request: 1, webhook: 0, wait: 0, write: 0 } });
  const ofShop = await judgeCommand(shop, [STOP, { ...STOP, process: 'kiosk' }], paths);
  expect(ofShop.verdict).toBeUndefined();
  expect(ofShop.unstruck).toHaveLength(2);
  const struck = await judgeCommand(shop, [{ ...STOP, process: 'worker', downMs: 15_000 }], paths);
  expect(struck.verdict).toMatch(/order-1 was charged 2 times/);
  expect(struck.unstruck).toEqual([]);
  const payments = struck.story().filter(({ process }) => process === 'worker');
  expect(payments[1]!.atMs - payments[0]!.atMs).toBeGreaterThanOrEqual(15_000);
});

const SHOP = join(import.meta.dirname, '../../../examples/shop-python/shop.py');
const shopPart = (part: string, defect = '') => `exec python3 ${SHOP} --part ${part}${defect}`;
/** Stops the process that takes payments at one of its requests, of which the second starts the payment. */
const stopPayments = (what: 'stop-before-request' | 'stop-before-reply', nth: number) =>
  ({ ...STOP, what, when: { nth }, process: 'payments' }) satisfies HuntedFault;

test('hunt --process: a process that was started again is stopped again, by a number that goes on over its starts', async () => {
  const judge = (defect: string, plan: HuntedFault[]) =>
    judgeCommand(shopPart('sales'), plan, {
      ...PATHS,
      processes: { payments: shopPart('payments', defect) },
    });
  const sent = stopPayments('stop-before-reply', 2);
  const looks = stopPayments('stop-before-request', 3);
  const once = await judge(' --defect looks-once', [sent]);
  expect([once.verdict, once.unstruck]).toEqual([undefined, []]);
  expect(once.recoveries).toMatchObject([{ process: 'payments', before: { request: 2 } }]);
  const twice = await judge(' --defect looks-once', [sent, looks]);
  expect([twice.verdict, twice.unstruck]).toEqual([
    expect.stringContaining('order-1 was charged 2 times'),
    [],
  ]);
  expect(twice.recoveries).toMatchObject([{ process: 'payments', before: { request: 3 } }]);
  const right = await judge('', [sent, looks]);
  expect([right.verdict, right.unstruck]).toEqual([undefined, []]);
});

test('hunt --process: warns of a process that sends no request', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tapbench-hunt-silent-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const shop = ['--command', `exec python3 ${SHOP}`, '--sell', '/orders', '--books', '/books'];
  const limits = ['--process', 'worker=true', '--plans', '1', '--quiet', '1'];
  const { stdout } = await startCommand(['hunt', ...shop, ...limits], { cwd }).ended;
  expect(stdout).toContain(
    'warning: the process worker sent no request to TAPBENCH_URL: no fault stopped it',
  );
});

test('certify till --process: tries the shop together with what runs beside it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tapbench-certify-worker-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const flags = ['--sell', '/orders', '--books', '/books', '--webhooks', '/webhooks'];
  const certify = ['certify', 'till', ...flags, '--only', 'till.drill.lost-reply'];
  const worker = ['--process', `payments=${shopPart('payments')}`];
  const shop = ['--', 'python3', SHOP, '--part', 'sales'];
  const { code, stdout } = await startCommand([...certify, ...worker, ...shop], { cwd }).ended;
  expect(stdout).toContain('passed     till.drill.lost-reply');
  expect(code).toBe(0);
});

/** A shop that writes down what it sells, and a worker beside it that charges it, and again where it has died meanwhile. */
function shopAndWorker(): { shop: string; worker: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'tapbench-hunt-worker-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(cwd, name), text);
    return `exec "${process.execPath}" "${join(cwd, name)}"`;
  };
  const shop = write(
    'shop.mjs',
    `import { existsSync, writeFileSync } from 'node:fs';
    import { createServer } from 'node:http';
    import { json } from 'node:stream/consumers';
    const { TAPBENCH_PORT, TAPBENCH_STORE } = process.env;
    const orders = [];
    createServer(async (request, response) => {
      if (request.method === 'POST') {
        orders.push(await json(request));
        writeFileSync(TAPBENCH_STORE, JSON.stringify(orders[0]));
      }
      const paid = existsSync(TAPBENCH_STORE + '.paid');
      response.end(JSON.stringify({ orders: orders.map((order) => ({ ...order, paid })) }));
    }).listen(Number(TAPBENCH_PORT), '127.0.0.1');`,
  );
  const worker = write(
    'worker.mjs',
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const { TAPBENCH_URL, TAPBENCH_KEY: authorization, TAPBENCH_TERMINAL, TAPBENCH_STORE } = process.env;
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    // It takes longer to start than a shop that is done is waited for.
    await sleep(1_500);
    while (!existsSync(TAPBENCH_STORE)) await sleep(20);
    const { orderId, amount } = JSON.parse(readFileSync(TAPBENCH_STORE));
    const body = JSON.stringify({ amounts: { requested: amount }, currency: 'GBP', paymentSession: { metadata: { orderId } } });
    const headers = { authorization, 'content-type': 'application/json' };
    const url = TAPBENCH_URL + '/v1/in-person/terminals/' + TAPBENCH_TERMINAL + '/payment';
    while (!existsSync(TAPBENCH_STORE + '.paid')) {
      const reply = await fetch(url, { method: 'POST', headers, body });
      if (reply.ok) writeFileSync(TAPBENCH_STORE + '.paid', '');
      else await sleep(50);
    }`,
  );
  return { shop, worker };
}
