import { afterEach, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

/** Calls a sandbox of the server with its key. */
function sandboxOf(tapbench: Tapbench, secretKey: string) {
  const terminal = tapbench.terminals[0]!.id;
  const call = async (method: string, path: string, body?: unknown) =>
    (await tapbench.api(method, path, body, { authorization: secretKey })).body;
  return {
    call,
    perform: (act: string, body: unknown) => call('POST', `/sandbox/terminals/${terminal}/${act}`, body),
    action: async () => (await call('GET', `/v1/in-person/terminals/${terminal}`)).action,
    terminal: () => call('GET', `/sandbox/terminals/${terminal}`),
    pay: () =>
      call('POST', `/v1/in-person/terminals/${terminal}/payment`, {
        amounts: { requested: 1742 },
        currency: 'GBP',
      }),
  };
}

test('sandboxes: a payment forked at the PIN is approved in one fork and times out in the other', async () => {
  const tapbench = await fixture.tapbench();
  const original = sandboxOf(tapbench, tapbench.secretKey);
  await original.perform('cardholder', { script: 'none' });
  await original.pay();
  await waitFor('it asks for a card', async () => (await original.terminal()).state === 'awaitingCard');
  await original.perform('present-card', { card: 'visa-contact-pin' });
  await waitFor('it asks for the PIN', async () => (await original.terminal()).state === 'awaitingPin');
  await original.perform('press-keys', { keys: ['1', '2'] });

  const forks = [];
  for (const name of ['approved', 'late']) {
    const fork = await original.call('POST', '/sandboxes', { name, from: 'default' });
    forks.push(sandboxOf(tapbench, fork.secretKey));
  }
  const [approved, late] = forks as [ReturnType<typeof sandboxOf>, ReturnType<typeof sandboxOf>];
  for (const fork of [approved, late])
    await waitFor('the terminal of a fork is online', async () => (await fork.terminal()).online === true);
  await approved.perform('press-keys', { keys: ['3', '4', 'enter'] });
  await waitFor(
    'the payment of one is approved',
    async () => (await approved.action()).status === 'Succeeded',
  );
  await late.call('POST', '/sandbox/clock/advance', { seconds: 70 });
  await waitFor('the other times out', async () => (await late.action()).status === 'Failed');

  expect((await late.action()).error.code).toBe('timeout');
  expect(await original.action()).toMatchObject({ status: 'InProgress' });
  const sessions = async ({ call }: typeof late) =>
    (await call('GET', '/v1/payment-sessions')).items.map(({ status }: { status: string }) => status);
  expect([await sessions(approved), await sessions(late), await sessions(original)]).toEqual([
    ['Captured'],
    ['PendingPayment'],
    ['PendingPayment'],
  ]);
});

test('sandboxes: a sandbox has a dashboard of its own, which its token opens', async () => {
  const tapbench = await fixture.tapbench();
  const created = (await tapbench.api('POST', '/sandboxes', { name: 'ci' })).body;
  const { origin, hash, pathname } = new URL(created.dashboardUrl);
  const token = hash.replace('#token=', '');
  const page = await fetch(origin + pathname);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const machines = async (path: string) =>
    (await fetch(origin + path, { headers: { authorization: token } })).status;
  expect([
    await machines('/s/ci/dashboard/machines'),
    await machines('/s/default/dashboard/machines'),
  ]).toEqual([200, 403]);
});
