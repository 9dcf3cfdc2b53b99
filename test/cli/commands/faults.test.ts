import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CUT_POINTS } from '../../../server/platform/faults/cut-points.ts';
import { createCliFixture, type CliFixture } from '../cli-fixture.ts';

const FAULT = { at: 'api.reply', what: 'reset', when: { operation: 'POST /v1/customers', nth: 2 } };
const STRIKE = {
  number: 1,
  fault: 0,
  occurrence: 2,
  timestamp: 0,
  what: 'reset',
  subject: 'POST /v1/customers',
  ids: ['cu_1'],
};
const PLAN = {
  id: 'plan_1',
  title: '',
  seed: 'default',
  status: 'Ended',
  createdTimestamp: 0,
  faults: [FAULT, { at: 'webhook.attempt', what: 'twice' }],
  struck: 1,
  struckByFault: [1, 0],
  strikes: [STRIKE],
};

function onServer(): CliFixture {
  const on = createCliFixture();
  on.answer('POST /sandbox/faults', { status: 200, body: PLAN });
  on.answer('GET /sandbox/faults', { status: 200, body: { items: [PLAN] } });
  on.answer('GET /sandbox/faults/plan_1', { status: 200, body: PLAN });
  on.answer('DELETE /sandbox/faults/plan_1', { status: 200, body: { id: 'plan_1', deleted: true } });
  return on;
}

test('faults add: sends the fault with what the options ask for', async () => {
  const on = onServer();
  const options = ['--operation', 'POST /v1/customers', '--nth', '2', '--delay-ms', '0'];
  expect(await on.run('faults', 'add', 'api.reply', 'delay', ...options)).toBe(0);
  expect(on.requests[0]?.body).toEqual({
    faults: [
      { at: 'api.reply', what: 'delay', delayMs: 0, when: { operation: 'POST /v1/customers', nth: 2 } },
    ],
  });
  expect(on.out).toBe('plan_1 is active\n');
});

test('faults add: without options sends neither condition nor delay', async () => {
  const on = onServer();
  await on.run('faults', 'add', 'api.reply', 'reset');
  expect(on.requests[0]?.body).toEqual({ faults: [{ at: 'api.reply', what: 'reset' }] });
});

test('faults add: names an endpoint by its URL, chooses by chance with a seed, and lets an attempt through', async () => {
  const on = onServer();
  const items = [{ id: 'wh_1', url: 'http://127.0.0.1:3000/hook' }];
  on.answer('GET /sandbox/webhooks', { status: 200, body: { items } });
  const options = ['--percent', '10', '--seed', '7', '--until-attempt', '3'];
  const url = 'http://127.0.0.1:3000/hook?token=t';
  expect(await on.run('faults', 'add', 'webhook.attempt', 'dropped', '--endpoint', url, ...options)).toBe(0);
  expect(on.requests[1]?.body).toEqual({
    seed: '7',
    faults: [{ at: 'webhook.attempt', what: 'dropped', when: { id: 'wh_1', percent: 10, untilAttempt: 3 } }],
  });
  expect(await on.run('faults', 'add', 'webhook.attempt', 'twice', '--endpoint', 'wh_2')).toBe(1);
  expect(on.err).toContain("no webhook endpoint wh_2; 'tapbench webhooks health' lists them");
});

test('faults load: sends the plan of a file, and names a file that is missing or no JSON', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [plan, broken] = [join(folder, 'plan.json'), join(folder, 'broken.json')];
  writeFileSync(plan, JSON.stringify({ faults: [FAULT] }));
  writeFileSync(broken, '{');
  const on = onServer();
  expect(await on.run('faults', 'load', plan)).toBe(0);
  expect(on.requests[0]?.body).toEqual({ faults: [FAULT] });
  expect(await on.run('faults', 'load', broken)).toBe(1);
  expect(on.err).toContain(`${broken} is not JSON`);
  expect(await on.run('faults', 'load', join(folder, 'none.json'))).toBe(1);
  expect(on.err).toContain('none.json');
});

test('faults: lists each fault of a plan with what it asks for, and shows what struck', async () => {
  const on = onServer();
  expect(await on.run('faults')).toBe(0);
  expect(on.out).toMatch(/plan_1\s+Ended\s+1\s+api\.reply\s+reset\s+operation=POST \/v1\/customers nth=2\n/);
  expect(on.out).toMatch(/\n\s+never\s+webhook\.attempt\s+twice\n/);
  expect(await on.run('faults', 'show', 'plan_1')).toBe(0);
  expect(on.out).toContain('reset  POST /v1/customers  cu_1');
  expect(await on.run('faults', 'delete', 'plan_1')).toBe(0);
  expect(on.out).toContain('plan_1 deleted');
});

test('faults show: prints each strike of a plan, however many replies that takes', async () => {
  const on = createCliFixture();
  const strikes = [3, 5, 8].map((number) => ({ ...STRIKE, number, ids: [`cus_${number}`] }));
  const part = (...some: object[]) => ({ status: 200, body: { ...PLAN, struck: 3, strikes: some } });
  on.answer('GET /sandbox/faults/plan_1', part(strikes[0]!, strikes[1]!), part(strikes[2]!));
  expect(await on.run('faults', 'show', 'plan_1')).toBe(0);
  expect(on.requests.map(({ path }) => path.split('?')[1])).toEqual(['strikesAfter=0', 'strikesAfter=5']);
  expect(on.out.match(/cus_\d/g)).toEqual(['cus_3', 'cus_5', 'cus_8']);
});

test('faults points: prints every place with every fault', async () => {
  const on = createCliFixture();
  expect(await on.run('faults', 'points')).toBe(0);
  for (const [at, { faults }] of Object.entries(CUT_POINTS)) {
    expect(on.out).toContain(`${at}: `);
    for (const what of Object.keys(faults)) expect(on.out).toContain(`  ${what}`);
  }
});
