import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ended } from '../kit/child-command.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
beforeAll(async () => {
  tapbench = await fixture.tapbench();
});

const drill = (...words: string[]): Promise<Ended> =>
  fixture.run(['drill', ...words], { env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! } });

test('drill: tells how the wrong integration loses money at a terminal and the right one does not', async () => {
  const { code, stdout, stderr } = await drill('lost-result');
  expect([code, stderr]).toEqual([0, '']);
  const [wrong, right] = stdout.split('The right integration') as [string, string];
  for (const text of ['fault', 'money was lost', '17.42 GBP taken', 'order-1: 17.42 GBP, not paid'])
    expect(wrong).toContain(text);
  expect(right).toMatch(/nothing was lost\n.*17\.42 GBP taken\n.*order-1: 17\.42 GBP, paid\n/);
  expect(stdout).toContain('docs/in-person-payments.md');
  expect(stdout).not.toContain('sk_sandbox_');
  expect(stdout).toMatch(/^ {2}fault {5}\S.*\n {12}\S/m);
});

test('drill: tells what a till at a stand-alone terminal makes of an answer that is lost after the charge', async () => {
  const { code, stdout, stderr } = await drill('unknown-outcome');
  expect([code, stderr]).toEqual([0, '']);
  const [wrong, right] = stdout.split('The right integration') as [string, string];
  for (const told of [wrong, right])
    expect(told).toMatch(/does not know what came of the payment[^]*somebody settles the\s+payment/);
  expect(wrong).toMatch(/money was lost\n +the order order-1 was charged 2 times[^]*34\.84 GBP taken/);
  expect(right).toMatch(/nothing was lost\n.*17\.42 GBP taken\n.*order-1: 17\.42 GBP, paid\n/);
  expect(stdout).toContain('docs/readers/stand-alone.md');
});

test('drill: the wrong integration alone ends with 1 and one document', async () => {
  const { code, stdout } = await drill('duplicate-webhook', '--integration', 'wrong', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    drill: 'duplicate-webhook',
    runs: [
      {
        integration: 'wrong',
        strikes: [{ at: 'webhook.attempt', what: 'twice' }],
        orders: [{ orderId: 'order-1', amount: 3484 }],
        taken: 1742,
        verdict: 'the shop has 34.84 GBP for the order order-1, and 17.42 GBP were taken',
      },
    ],
  });
});

/** Sells and refunds a part; when there is no reply, it refunds again, or with `looks` only what it does not find. */
const PROGRAM = `
const { TAPBENCH_URL, TAPBENCH_KEY, TAPBENCH_ORDER, TAPBENCH_AMOUNT, TAPBENCH_CURRENCY } = process.env;
const call = async (method, path, body) => (await fetch(TAPBENCH_URL + '/v1/payment-sessions' + path, {
  method, ...(body && { body: JSON.stringify(body) }),
  headers: { authorization: TAPBENCH_KEY, ...(body && { 'content-type': 'application/json' }) },
})).json();
const post = (path, body) => call('POST', path, body);
const { id, clientSecret } = await post('', {
  amount: Number(TAPBENCH_AMOUNT), currency: TAPBENCH_CURRENCY, customerEmail: 'ana@shop.example',
  metadata: { orderId: TAPBENCH_ORDER },
});
await post('/attempt-payment', {
  clientSecret, cardDetails: { number: '4242424242424242', expiryMonth: '12', expiryYear: '2040', cvc: '123' },
});
const refund = () => post('/' + id + '/refunds', { amount: 500, reason: 'refund-1' });
const isDone = async () =>
  (await call('GET', '/' + id + '/transactions')).items.some(({ reason }) => reason === 'refund-1');
await refund().catch(async () => {
  if (process.argv[2] !== 'looks' || !(await isDone())) await refund();
});
`;

test('drill: judges a program of the user by the ledger and its books', async () => {
  const folder = fixture.folder();
  const [program, books] = [join(folder, 'sell.mjs'), join(folder, 'books.json')];
  writeFileSync(program, PROGRAM);
  const order = { orderId: 'order-1', paid: true, amount: 1742, refunded: 500 };
  writeFileSync(books, JSON.stringify({ orders: [order] }));
  const own = (...words: string[]) =>
    drill('refund-twice', '--books', books, '--', process.execPath, program, ...words);
  const [twice, once] = await Promise.all([own(), own('looks')]);
  expect(twice.stdout).toContain('has refunded 5.00 GBP of the order order-1, and 10.00 GBP went back');
  expect([twice.code, once.code]).toEqual([1, 0]);
  expect(once.stdout).toContain('nothing was lost');
});

test('drill: a command that fails, sells nothing or is never struck ends with 2 and the reason', async () => {
  const folder = fixture.folder();
  const [sells, fails, books] = [
    join(folder, 'sell.mjs'),
    join(folder, 'fail.mjs'),
    join(folder, 'books.json'),
  ];
  const [sale, refund] = PROGRAM.split('const refund');
  writeFileSync(sells, sale!);
  writeFileSync(fails, `${sale}const refund${refund}process.exitCode = 3;`);
  writeFileSync(books, JSON.stringify({ orders: [] }));
  const [failed, idle, unstruck, broken] = await Promise.all([
    drill('lost-reply', '--', 'false'),
    drill('lost-reply', '--json', '--books', books, '--', 'true'),
    drill('refund-twice', '--', process.execPath, sells),
    drill('refund-twice', '--', process.execPath, fails, 'refund-1'),
  ]);
  expect([failed, idle, unstruck, broken].map(({ code, stderr }) => [code, stderr])).toEqual(
    Array.from({ length: 4 }, () => [2, '']),
  );
  for (const { stdout } of [failed, unstruck, broken]) expect(stdout).not.toContain('nothing was lost');
  expect(failed.stdout).toMatch(/\? inconclusive\n +the command failed: it ended with the exit code 1\n/);
  expect(JSON.parse(idle.stdout).runs).toMatchObject([
    {
      verdict: null,
      inconclusive: 'nothing was sold: no payment was created in the sandbox of the drill',
      strikes: [],
      payments: [],
    },
  ]);
  expect(unstruck.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'a fault of the drill never struck, so that nothing was tested: The reply of the API to a request that succeeded, once its work is stored: POST /v1/payment-sessions/{paymentSessionId}/refunds, the first one',
  );
  expect(broken.stdout).toContain('the command failed: it ended with the exit code 3');
});

test('drill --wait: Enter before a fault has struck ends with 2', async () => {
  const { code, stdout } = await fixture.run(['drill', 'lost-reply', '--wait'], {
    env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! },
    input: '\n',
  });
  expect([code, stdout]).toEqual([2, expect.stringMatching(/\? inconclusive\n +nothing was sold: /)]);
});
