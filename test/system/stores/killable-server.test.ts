import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callerOf, type Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const SHOP = join(import.meta.dirname, '../../../examples/shop/right/shop.js');
const commit = (what: string, nth = 1) => ({ faults: [{ at: 'server.commit', what, when: { nth } }] });
const commits = (what: string, times: number) => ({
  faults: [{ at: 'server.commit', what, when: { times } }],
});
const KILLED = /ECONNREFUSED|ECONNRESET|socket hang up|terminated/;

/** Puts a plan that kills the server at its next transaction, creates a customer, and starts the server again. */
async function killAtCommit(tapbench: Tapbench, api: Tapbench['api'], what: string) {
  const { status, body: plan } = await api('POST', '/sandbox/faults', commit(what));
  expect(status).toBe(200);
  await expect(api('POST', '/v1/customers', { email: 'ana@corner.example' })).rejects.toThrow(
    /ECONNRESET|socket hang up|terminated/,
  );
  expect((await tapbench.child.ended).signal).toBe('SIGKILL');
  await tapbench.restart();
  return (await api('GET', `/sandbox/faults/${plan.id}`)).body;
}

test('up --killable: a fault kills the process by SIGKILL, and what it had committed is there afterwards', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const customers = async () => (await tapbench.api('GET', '/v1/customers')).body.items.length;
  expect(await killAtCommit(tapbench, tapbench.api, 'kill-before')).toMatchObject({
    struck: 1,
    status: 'Ended',
  });
  expect(await customers()).toBe(0);
  expect(await killAtCommit(tapbench, tapbench.api, 'kill-after')).toMatchObject({ struck: 1 });
  expect(await customers()).toBe(1);
});

test('up --killable: a plan of any sandbox kills the process', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const { body: sandbox } = await tapbench.api('POST', '/sandboxes', { name: 'other' });
  const api = callerOf({ url: tapbench.url, secretKey: sandbox.secretKey });
  expect(await killAtCommit(tapbench, api, 'kill-after')).toMatchObject({ struck: 1 });
  expect((await api('GET', '/v1/customers')).body.items).toHaveLength(1);
});

test('up --killable: the right shop of the examples loses no money at a server that is killed during the payment', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const env = {
    TAPBENCH_URL: tapbench.url,
    TAPBENCH_KEY: tapbench.secretKey,
    TAPBENCH_PORT: '0',
    TAPBENCH_STORE: join(fixture.folder(), 'shop.db'),
    TAPBENCH_SPEED: '20',
  };
  const shop = fixture.program(process.execPath, [SHOP], { env });
  const [, till] = await shop.prints(/^The till is at (\S+)\/$/m);
  await tapbench.api('POST', `/sandbox/terminals/${tapbench.terminals[0]!.id}/cardholder`, { script: 'tap' });
  await tapbench.api('POST', '/sandbox/faults', commit('kill-after', 3));
  const order = { orderId: 'order-1', amount: 1742 };
  await fetch(`${till}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  expect((await tapbench.child.ended).signal).toBe('SIGKILL');
  await tapbench.restart();
  const statusOf = async () => (await (await fetch(`${till}/orders/order-1`)).json()) as { status: string };
  const { status } = await waitFor('the end of the order', async () => {
    const seen = await statusOf();
    return seen.status === 'paying' ? undefined : seen;
  });
  const { items } = (await tapbench.api('GET', '/v1/payment-sessions')).body;
  const captured = items.filter((session: { status: string }) => session.status === 'Captured');
  expect(captured).toHaveLength(status === 'paid' ? 1 : 0);
  expect(items).toHaveLength(1);
});

test.each(['kill-before', 'kill-after'])(
  'up --killable: a plan that would %s each commit lets the server become ready, and can be deleted then',
  async (what) => {
    const tapbench = await fixture.tapbench({ args: ['--killable'] });
    const { body: plan } = await tapbench.api('POST', '/sandbox/faults', commits(what, 100));
    // Work that is due when the server starts.
    await expect(tapbench.api('POST', '/sandbox/clock/advance', { seconds: 60 })).rejects.toThrow(KILLED);
    expect((await tapbench.child.ended).signal).toBe('SIGKILL');
    await tapbench.restart();
    expect((await tapbench.api('POST', '/v1/customers', { email: 'ana@corner.example' })).status).toBe(200);
    const seen = (await tapbench.api('GET', `/sandbox/faults/${plan.id}`)).body;
    expect((await tapbench.api('DELETE', `/sandbox/faults/${plan.id}`)).status).toBe(200);
    expect(seen).toMatchObject({ struck: 1, status: 'Active' });
    expect((await tapbench.api('POST', '/sandboxes', { name: 'neighbour' })).status).toBe(200);
    expect((await tapbench.api('POST', '/v1/customers', { email: 'bo@corner.example' })).status).toBe(200);
    expect((await tapbench.api('GET', '/sandbox/faults')).body.items).toEqual([]);
  },
);

test('up --killable: after a pause the plan kills again, until it has struck as often as it asks', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const { body: plan } = await tapbench.api('POST', '/sandbox/faults', commits('kill-after', 2));
  for (let kills = 1; kills <= 2; kills += 1) {
    await waitFor('the kill', async () => {
      const body = { email: `${kills}@corner.example` };
      await tapbench.api('POST', '/v1/customers', body).catch((thrown: unknown) => {
        if (!KILLED.test(String(thrown))) throw thrown;
      });
      return tapbench.child.running ? undefined : true;
    });
    expect((await tapbench.child.ended).signal).toBe('SIGKILL');
    await tapbench.restart();
  }
  expect((await tapbench.api('GET', `/sandbox/faults/${plan.id}`)).body).toMatchObject({
    struck: 2,
    status: 'Ended',
  });
});

test('up: with FAULTS=off the plans of each sandbox are ignored, shown as such, and can be deleted', async () => {
  const dataDir = fixture.folder();
  const killable = await fixture.tapbench({ dataDir, args: ['--killable'] });
  const { body: other } = await killable.api('POST', '/sandboxes', { name: 'other' });
  const ofOther = { url: killable.url, secretKey: other.secretKey };
  await callerOf(ofOther)('POST', '/sandbox/faults', commits('kill-before', 100));
  await killable.api('POST', '/sandbox/faults', commits('kill-before', 100));
  await expect(killable.api('POST', '/v1/customers', { email: 'a@b.example' })).rejects.toThrow(KILLED);
  await killable.child.ended;

  const tapbench = await fixture.tapbench({ dataDir, args: ['--killable', '--faults', 'off'] });
  for (const api of [tapbench.api, callerOf({ ...ofOther, url: tapbench.url })]) {
    const { items } = (await api('GET', '/sandbox/faults')).body;
    expect(items).toMatchObject([{ status: 'Ignored' }]);
    expect((await api('POST', '/v1/customers', { email: 'ana@corner.example' })).status).toBe(200);
    const refused = await api('POST', '/sandbox/faults', commits('kill-before', 1));
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      409,
      expect.stringContaining('start it without FAULTS=off'),
    ]);
    const env = {
      TAPBENCH_URL: tapbench.url,
      SECRET_KEY: api === tapbench.api ? tapbench.secretKey : other.secretKey,
    };
    expect((await fixture.run(['faults'], { env })).stdout).toMatch(
      /plan_1 +Ignored +\d|plan_1 +Ignored +never/,
    );
    expect((await fixture.run(['faults', 'delete', 'plan_1'], { env })).code).toBe(0);
    expect((await api('GET', '/sandbox/faults')).body.items).toEqual([]);
  }
  const warnings = tapbench.child.stderr
    .split('\n')
    .filter((line) => line.includes('plans of faults are ignored'))
    .map((line) => /"?sandbox"?[:=] ?"?(\w+)/.exec(line)?.[1]);
  expect(warnings).toEqual(['default', 'other']);
  await tapbench.kill('SIGINT');

  const shown = fixture.command(['up'], {
    env: { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', FAULTS: 'off' },
  });
  await shown.prints(/^ {2}Faults +ignored \(FAULTS=off\)$/m);
});

test('up --killable: a plan that asks for more kills than there may be is refused', async () => {
  const tapbench = await fixture.tapbench({ args: ['--killable'] });
  const { status, body } = await tapbench.api('POST', '/sandbox/faults', commits('kill-before', 10_000));
  expect([status, body.errors[0].message]).toEqual([
    400,
    expect.stringMatching(/faults\.0\.when\.times.*100 kills/),
  ]);
});

test('up: without --killable such a plan is refused, and --killable without a store is', async () => {
  const tapbench = await fixture.tapbench();
  const { status, body } = await tapbench.api('POST', '/sandbox/faults', commit('kill-before'));
  expect([status, body.errors[0].message]).toEqual([409, expect.stringContaining('--killable')]);
  const { code, stderr } = await fixture.run(['up', '--killable', '--ephemeral']);
  expect(code).toBe(1);
  expect(stderr).toContain('--killable needs data that outlives the process');
});
