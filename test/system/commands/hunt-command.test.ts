import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { huntCommand, type HuntedFault } from '../../../testing/hunt/hunt.ts';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { parseShopCalls } from '../../../world/shop-calls.ts';
import { startCommand } from '../kit/child-command.ts';
import { judgeCommand } from '../kit/judge-command.ts';

const SHOP_FOLDER = join(import.meta.dirname, '../../../examples/shop-python');
const SHOP = `exec python3 ${join(SHOP_FOLDER, 'shop.py')}`;
const PATHS = { sell: '/orders', books: '/books', webhooks: '/webhooks' };

const LOST_REPLY: HuntedFault = {
  at: 'api.reply',
  what: 'reset',
  when: { operation: 'POST /v1/in-person/terminals/{id}/payment' },
};
const SENT_TWICE: HuntedFault = {
  at: 'webhook.attempt',
  what: 'twice',
  when: { eventType: 'PaymentSession.captured' },
};
// The first request reads the terminal, the second starts the payment.
const KILLED: HuntedFault = { at: 'integrator', what: 'stop-before-reply', when: { nth: 2 } };

test.each([
  ['charges-again', LOST_REPLY, 'the order order-1 was charged 2 times'],
  ['books-twice', SENT_TWICE, 'the shop has 34.84 GBP for the order order-1, and 17.42 GBP were taken'],
])('hunt --command: a shop with the defect %s goes wrong', async (defect, fault, verdict) => {
  const trial = await judgeCommand(`${SHOP} --defect ${defect}`, [fault]);
  expect(trial.verdict).toContain(verdict);
  expect(JSON.stringify(await readTrace(trial.trace))).toContain('"kind":"fault"');
});

test('hunt --command: says from which step on a shop is wrong, and when it was right before', async () => {
  const { found } = await huntCommand({
    command: `${SHOP} --defect charges-again`,
    ...PATHS,
    quietSeconds: 1,
    plan: [LOST_REPLY],
  });
  const { story, firstWrongMs = 0, lastRightMs } = found!;
  const verdict = story.findIndex(({ who }) => who === 'verdict');
  // A short story may have both charges in one step.
  const timesOf = (text: string) => Number(/\((\d+) times\)$/.exec(text)?.[1] ?? 1);
  const charges = story.slice(0, verdict).filter(({ who }) => who === 'money');
  expect(charges.reduce((sum, { text }) => sum + timesOf(text), 0)).toBe(2);
  expect(story[verdict]).toMatchObject({ atMs: firstWrongMs });
  // What happens at one time may have both.
  expect(lastRightMs).toBeLessThanOrEqual(firstWrongMs);
});

const { webhooks: _none, ...ASKING } = PATHS;
const CALLS = parseShopCalls(readFileSync(join(SHOP_FOLDER, 'cancel.json'), 'utf8'));
const READ = 'GET /v1/payment-sessions/{paymentSessionId}';
const CANCEL = 'POST /v1/in-person/terminals/{id}/cancel-action';
const PAY = 'POST /v1/in-person/terminals/{id}/payment';
const REFUND = 'POST /v1/payment-sessions/{paymentSessionId}/refunds';
const REFUNDING = {
  calls: parseShopCalls(readFileSync(join(SHOP_FOLDER, 'refund.json'), 'utf8')),
  books: '/books',
  webhooks: '/webhooks',
};
const NOT_TAKEN = 'the shop says that the order order-1 is paid, and no money was taken';
const UNPAID = '17.42 GBP were taken for the order order-1, and the shop says that it is not paid';

test.each<[string, HuntedFault, Parameters<typeof judgeCommand>[2], string]>([
  [
    'books-at-once',
    { at: 'webhook.attempt', what: 'twice-at-once', when: { eventType: 'PaymentSession.captured' } },
    PATHS,
    'the shop has 34.84 GBP for the order order-1, and 17.42 GBP were taken',
  ],
  ['books-unread', { at: 'bank.authorisation', what: 'declined' }, PATHS, NOT_TAKEN],
  ['asks-once', { at: 'api.reply', what: 'reset', when: { operation: READ } }, ASKING, UNPAID],
  ['gives-up', { at: 'api.request', what: 'reset', when: { operation: READ, times: 5 } }, ASKING, UNPAID],
  [
    'only-listens',
    { at: 'webhook.attempt', what: 'dropped', when: { eventType: 'PaymentSession.captured', times: 7 } },
    PATHS,
    UNPAID,
  ],
  [
    'cancels-unread',
    { at: 'api.request', what: 'delay', delayMs: 15_000, when: { operation: CANCEL } },
    { calls: CALLS, books: '/books' },
    UNPAID,
  ],
  ['assumes-refused', { at: 'api.reply', what: 'reset', when: { operation: PAY } }, ASKING, UNPAID],
  ['trusts-reply', { at: 'bank.authorisation', what: 'declined' }, PATHS, NOT_TAKEN],
  ['starts-over', KILLED, PATHS, 'the order order-1 was charged 2 times'],
  [
    'refund-unread',
    { at: 'bank.settlement', what: 'failed' },
    REFUNDING,
    'the shop has refunded 5.00 GBP of the order order-1, and 0.00 GBP went back',
  ],
  [
    'refunds-again',
    { at: 'api.reply', what: 'reset', when: { operation: REFUND } },
    REFUNDING,
    'the shop has refunded 5.00 GBP of the order order-1, and 10.00 GBP went back',
  ],
  [
    'loses-refund',
    { at: 'api.reply', what: 'reset', when: { operation: REFUND } },
    REFUNDING,
    'the shop has refunded 0.00 GBP of the order order-1, and 5.00 GBP went back',
  ],
])(
  'hunt --command: a shop with the defect %s goes wrong, and the right one does not',
  async (defect, fault, paths, verdict) => {
    const wrong = await judgeCommand(`${SHOP} --defect ${defect}`, [fault], paths);
    expect([wrong.verdict, wrong.unstruck]).toEqual([expect.stringContaining(verdict), []]);
    const right = await judgeCommand(SHOP, [fault], paths);
    expect([right.verdict, right.unstruck]).toEqual([undefined, []]);
  },
);

test('hunt --command: a shop that forgets what it had begun when it was killed goes wrong, unless an event tells it', async () => {
  const forgets = await judgeCommand(`${SHOP} --defect forgets`, [KILLED], ASKING);
  expect(forgets.verdict).toBe(
    '17.42 GBP were taken for the order order-1, and the shop says that it is not paid',
  );
  expect((await judgeCommand(SHOP, [KILLED], ASKING)).verdict).toBeUndefined();
});

test('hunt --command: the right shop survives a lost reply, an event that comes twice, and a kill', async () => {
  expect((await judgeCommand(SHOP, [LOST_REPLY, SENT_TWICE])).verdict).toBeUndefined();
  expect((await judgeCommand(SHOP, [KILLED])).verdict).toBeUndefined();
});

test('hunt --command: a process that is down listens again when its time is over', async () => {
  const { story, verdict } = await judgeCommand(SHOP, [{ ...KILLED, downMs: 120_000 }]);
  expect(verdict).toBeUndefined();
  const captured = story().filter(({ kind }) => kind === 'PaymentSession.captured');
  expect(captured[0]!.text).toContain('ECONNREFUSED');
  expect(captured.at(-1)!.text).toContain('200');
});

test('hunt --command: a shop that starts again for longer than it may be quiet is waited for', async () => {
  expect((await judgeCommand(`sleep 2; ${SHOP}`, [KILLED])).verdict).toBeUndefined();
});

/** Writes a shop that sells by `pay(order)`, and has books; returns the command that starts it. */
function smallShop(pay: string): string {
  const cwd = mkdtempSync(join(tmpdir(), 'tapbench-hunt-shop-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const program = join(cwd, 'shop.mjs');
  writeFileSync(
    program,
    `import { readFileSync } from 'node:fs';
    import { createServer } from 'node:http';
    import { json } from 'node:stream/consumers';
    const { TAPBENCH_URL, TAPBENCH_KEY: authorization, TAPBENCH_TERMINALS, TAPBENCH_PORT, TAPBENCH_STORE } = process.env;
    const terminals = TAPBENCH_TERMINALS.split(',');
    const headers = { authorization, 'content-type': 'application/json' };
    const orders = [];
    async function charge({ orderId, amount, till = 1 }) {
      const body = JSON.stringify({ amounts: { requested: amount }, currency: 'GBP', paymentSession: { metadata: { orderId } } });
      await fetch(TAPBENCH_URL + '/v1/in-person/terminals/' + terminals[till - 1] + '/payment', { method: 'POST', headers, body });
    }
    ${pay}
    createServer(async (request, reply) => {
      if (request.url === '/books') return reply.end(JSON.stringify({ orders }));
      const order = await json(request);
      await pay(order);
      const { orderId, amount } = order;
      orders.push({ orderId, amount, paid: true });
      reply.writeHead(202).end();
    }).listen(TAPBENCH_PORT, '127.0.0.1');`,
  );
  return `exec '${process.execPath}' ${program}`;
}

test('hunt --command: what a shop begins after it was quiet for long ends before the shop is called wrong', async () => {
  // Later than the second in which a process is quiet, which is waited for twice.
  const shop = smallShop('function pay(order) { setTimeout(charge, 1_500, order); }');
  const trial = await judgeCommand(shop, [LOST_REPLY], { sell: '/orders', books: '/books' });
  expect([trial.verdict, trial.unstruck]).toEqual([undefined, [LOST_REPLY]]);
  expect(trial.orders()).toMatchObject([{ orderId: 'order-1', captured: 1742 }]);
});

test('hunt --command: sells at two tills at once, then once more, each time from a copy of the store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-hunt-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = join(folder, 'prices.json');
  writeFileSync(store, '{"tea":250}');
  const shop = smallShop(`async function pay(order) {
    order.amount = JSON.parse(readFileSync(TAPBENCH_STORE)).tea * order.cups;
    await charge(order);
  }`);
  const calls = [
    { path: '/orders', body: { orderId: 'one', cups: 1 } },
    { path: '/orders', body: { orderId: 'two', cups: 2, till: 2 }, beside: true },
    { path: '/orders', body: { orderId: 'three', cups: 3 } },
  ];
  const trial = await judgeCommand(shop, [], { calls, books: '/books', store, terminals: 2 });
  expect(trial.verdict).toBeUndefined();
  const taken = trial.orders().map(({ orderId, captured }) => [orderId, captured]);
  expect(taken.toSorted()).toEqual([
    ['one', 250],
    ['three', 750],
    ['two', 500],
  ]);
});

test('hunt --command: refuses calls that cannot be sent, and options that need a command', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tapbench-hunt-calls-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'calls.json'), '[{"path":"orders"}]');
  const refused = async (...words: string[]) => {
    const { code, stderr } = await startCommand(['hunt', ...words], { cwd }).ended;
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused('--command', SHOP, '--calls', 'calls.json')).toContain(
    '--calls calls.json: calls.0.path must be a string that matches ^/',
  );
  expect(await refused('--command', SHOP, '--calls', 'calls.json', '--sell', '/orders')).toContain(
    'give --calls or --sell, not both',
  );
  expect(await refused('--command', SHOP, '--store', 'none')).toContain('there is no such file or folder');
  expect(await refused('till.mjs', '--calls', 'calls.json')).toContain('--calls needs --command');
  expect(await refused('till.mjs', '--process', 'worker=node worker.js')).toContain(
    '--process needs --command',
  );
  const worker = ['--process', 'worker=node worker.js'];
  expect(await refused('--command', SHOP, '--process', 'worker')).toContain(
    '--process worker: give NAME=LINE',
  );
  expect(await refused('--command', SHOP, ...worker, ...worker)).toContain('--process worker is given twice');
  expect(await refused('--command', 'sleep 9', '--process', 'worker=exit 3')).toContain(
    'the process worker failed with exit code 3 without any fault',
  );
});

test('hunt --command: the right shop survives a server that is killed, and the trace has what was before and after', async () => {
  const calm = await judgeCommand(SHOP, []);
  expect(calm.verdict).toBeUndefined();
  const killed = await judgeCommand(SHOP, [{ at: 'server.commit', what: 'kill-after', when: { nth: 8 } }]);
  expect(killed.verdict).toBeUndefined();
  const trace = await readTrace(killed.trace);
  const struck = trace.items.findIndex(
    (item) => item.kind === 'output' && item.entry.title.includes('kill-after'),
  );
  const callsOf = (items: typeof trace.items) => items.filter(({ kind }) => kind === 'call').length;
  expect(callsOf(trace.items.slice(0, struck))).toBeGreaterThan(0);
  expect(callsOf(trace.items.slice(struck))).toBeGreaterThan(0);
  expect(trace.summary.notReplayable).toContainEqual(expect.stringContaining('the server was killed'));
});

test('hunt --command: the right shop survives events whose bodies come slower than it may take to read them', async () => {
  const slow = (eventType: string): HuntedFault => ({
    at: 'webhook.attempt',
    what: 'slow-body',
    delayMs: 120_000,
    when: { eventType },
  });
  const plan = [slow('PaymentSession.approved'), slow('PaymentSession.captured')];
  expect((await judgeCommand(SHOP, plan)).verdict).toBeUndefined();
});

test('hunt --command: finds nothing in the right shop, and refuses a command that fails without faults', async () => {
  const flags = Object.entries(PATHS).flatMap(([name, path]) => [`--${name}`, path]);
  const right = await startCommand(['hunt', '--command', SHOP, ...flags, '--plans', '1', '--quiet', '1'])
    .ended;
  // A plan may cut the process before what the other fault waits for.
  expect([right.code, right.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^nothing found: 2 plans tried, seed 1(; in \d of them a fault was not reached)?\n {2}at +what +happened +struck\n/,
    ),
  ]);
  const broken = await startCommand(['hunt', '--command', 'echo no licence; exit 3']).ended;
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain('the command failed with exit code 3 without any fault:\nno licence');
});

test('hunt FILE: prints what it found in words with the command that repeats it, writes the trace, and returns 1', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tapbench-hunt-file-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(
    join(cwd, 'till.mjs'),
    "export default { scenario() {}, verdicts: [() => 'the till is closed'] };",
  );
  const { code, stdout } = await startCommand(['hunt', 'till.mjs', '--seed', 'one'], { cwd }).ended;
  expect(stdout.split('\n')).toEqual([
    'found after 1 plan, seed one: the till is closed',
    '  without any fault',
    'what happened:',
    '  0.0 s  shop      the scenario returns',
    'it went wrong in each of 2 runs',
    'look at it: tapbench trace --open hunt-one.tapbench',
    'repeat it:  tapbench hunt till.mjs --seed one',
    'warning: the scenario made no payment without faults: only its events and terminals were judged',
    '',
  ]);
  expect(code).toBe(1);
  expect((await readTrace(readFileSync(join(cwd, 'hunt-one.tapbench')))).header.title).toBe('hunt, seed one');
});
