import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tryCommand } from '../../../testing/hunt/command/command-trial.ts';
import { prepareCommand } from '../../../testing/hunt/command/hunt-command.ts';
import type { HuntedFault } from '../../../testing/hunt/hunt.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { startCommand } from '../kit/child-command.ts';
import { realTime } from '../kit/wait-for.ts';

const SHOP = `exec python3 ${join(import.meta.dirname, '../../../examples/shop-python/shop.py')}`;
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

async function verdictOf(command: string, plan: HuntedFault[], paths: Partial<typeof PATHS> = PATHS) {
  const prepared = await startWorld({ startMs: realTime.nowMs() });
  onTestFinished(() => prepared.close());
  const setUp = await prepareCommand(prepared, { command, ...paths, quietSeconds: 1 }, realTime);
  return tryCommand(prepared, setUp, plan);
}

test.each([
  ['charges-again', LOST_REPLY, 'the order order-1 was charged 2 times'],
  ['books-twice', SENT_TWICE, 'the shop has 34.84 GBP for the order order-1, and 17.42 GBP were taken'],
])('hunt --command: a shop with the defect %s goes wrong', async (defect, fault, verdict) => {
  const trial = await verdictOf(`${SHOP} --defect ${defect}`, [fault]);
  expect(trial.verdict).toContain(verdict);
  expect(JSON.stringify(await readTrace(trial.trace))).toContain('"kind":"fault"');
});

test('hunt --command: a shop that forgets what it had begun when it was killed goes wrong, unless an event tells it', async () => {
  const { webhooks: _none, ...asking } = PATHS;
  const forgets = await verdictOf(`${SHOP} --defect forgets`, [KILLED], asking);
  expect(forgets.verdict).toBe(
    '17.42 GBP were taken for the order order-1, and the shop says that it is not paid',
  );
  expect((await verdictOf(SHOP, [KILLED], asking)).verdict).toBeUndefined();
});

test('hunt --command: the right shop survives a lost reply, an event that comes twice, and a kill', async () => {
  expect((await verdictOf(SHOP, [LOST_REPLY, SENT_TWICE])).verdict).toBeUndefined();
  expect((await verdictOf(SHOP, [KILLED])).verdict).toBeUndefined();
});

test('hunt --command: a shop that starts again for longer than it may be quiet is waited for', async () => {
  expect((await verdictOf(`sleep 2; ${SHOP}`, [KILLED])).verdict).toBeUndefined();
});

test('hunt --command: what a shop begins after it was quiet for long ends before it is judged', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'tapbench-hunt-late-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const program = join(cwd, 'late.mjs');
  // Later than the second in which a process is quiet, which is waited for twice.
  writeFileSync(
    program,
    `import { createServer } from 'node:http';
    const { TAPBENCH_URL, TAPBENCH_KEY: authorization, TAPBENCH_TERMINAL, TAPBENCH_PORT } = process.env;
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ amounts: { requested: 1742 }, currency: 'GBP' });
    const pay = () => fetch(TAPBENCH_URL + '/v1/in-person/terminals/' + TAPBENCH_TERMINAL + '/payment', { method: 'POST', headers, body });
    createServer((request, reply) => {
      setTimeout(pay, 1_500);
      reply.writeHead(202).end();
    }).listen(TAPBENCH_PORT, '127.0.0.1');`,
  );
  const trial = await verdictOf(`exec '${process.execPath}' ${program}`, [LOST_REPLY], { sell: '/orders' });
  expect([trial.verdict, trial.unstruck, trial.struckLater]).toEqual([undefined, [], true]);
});

test('hunt --command: the right shop survives a server that is killed, and the trace has what was before and after', async () => {
  const calm = await verdictOf(SHOP, []);
  expect(calm.verdict).toBeUndefined();
  const killed = await verdictOf(SHOP, [{ at: 'server.commit', what: 'kill-after', when: { nth: 8 } }]);
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
  expect((await verdictOf(SHOP, plan)).verdict).toBeUndefined();
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
    'it went wrong in each of 2 runs',
    'repeat it:  tapbench hunt till.mjs --seed one',
    'look at it: tapbench trace --open hunt-one.tapbench',
    'warning: the scenario made no payment without faults: only its events and terminals were judged',
    '',
  ]);
  expect(code).toBe(1);
  expect((await readTrace(readFileSync(join(cwd, 'hunt-one.tapbench')))).header.title).toBe('hunt, seed one');
});
