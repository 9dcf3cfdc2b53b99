import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Receiver } from '../kit/receiver.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startTwoServers, type TwoServers } from './two-servers.ts';

const fixture = createSystemFixture();
let servers: TwoServers;
let receiver: Receiver;
beforeAll(async () => {
  servers = await startTwoServers(fixture);
  receiver = await fixture.receiver();
  const body = { url: receiver.url, active: true, eventTypes: EVENT_TYPES };
  expect((await servers.first.api('POST', '/v1/webhooks', body)).status).toBe(200);
}, 120_000);
afterAll(() => fixture.cleanUp());

const EVENT_TYPES = [
  'Terminal.action_updated',
  'PaymentSession.approved',
  'PaymentSession.captured',
  'PaymentSession.declined',
  'PaymentSession.voided',
];
const TERMINALS = 6;
const ROUNDS = 5;

async function pay({ api }: Tapbench, terminalId: string): Promise<string> {
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  const { status, body: started } = await api('POST', `/v1/in-person/terminals/${terminalId}/payment`, body);
  expect(status).toBe(200);
  return started.action.transaction.paymentSessionId as string;
}

test('two servers: a payment is captured once and each of its events arrives once, in order, whichever server took which request', async () => {
  const { first, second, rows } = servers;
  const terminals = await servers.startTerminals(first, TERMINALS);
  const sessions: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      terminals.map(async (id, index) => {
        const [starts, reads] = (round + index) % 2 === 0 ? [first, second] : [second, first];
        sessions.push(await pay(starts, id));
        await waitFor('the other server to show the end of the action', async () => {
          const { action } = (await reads.api('GET', `/v1/in-person/terminals/${id}`)).body;
          return action.status === 'Succeeded';
        });
      }),
    );
  }
  const transactions = await rows<{ session_id: string; type: string; status: string }>(
    'SELECT session_id, type, status FROM payment_transactions ORDER BY seq',
  );
  const ofPayments = sessions.map((session) =>
    transactions
      .filter(({ session_id: id }) => id === session)
      .map(({ type, status }) => `${type} ${status}`)
      .join(', '),
  );
  expect(ofPayments).toEqual(
    Array.from({ length: TERMINALS * ROUNDS }, () => 'Authorization Succeeded, Capture Succeeded'),
  );
  const [ledger] = await rows<{ captures: string; sum: string }>(
    `SELECT (SELECT count(*) FROM balance_transactions WHERE type = 'TransactionCapture') AS captures,
       (SELECT sum(amount_minor) FROM postings) AS sum`,
  );
  expect(ledger).toEqual({ captures: String(TERMINALS * ROUNDS), sum: '0' });

  await waitFor('all events to be delivered', async () => {
    const [waiting] = await rows<{ n: string }>(
      `SELECT count(*) AS n FROM deliveries WHERE state <> 'Acknowledged'`,
    );
    return waiting!.n === '0';
  });
  const events = await rows<{ id: string; object_id: string }>(
    'SELECT id, object_id FROM events ORDER BY seq',
  );
  const wanted = events.filter(({ id }) => receiver.deliveries.some(({ event }) => event.id === id));
  expect(receiver.deliveries.map(({ event }) => event.id as string).toSorted()).toEqual(
    wanted.map(({ id }) => id).toSorted(),
  );
  const [deliveries] = await rows<{ n: string }>('SELECT count(*) AS n FROM deliveries');
  expect(String(receiver.deliveries.length)).toBe(deliveries!.n);
  for (const objectId of new Set(wanted.map(({ object_id: id }) => id))) {
    const recorded = wanted.filter(({ object_id: id }) => id === objectId).map(({ id }) => id);
    const arrived = receiver.deliveries
      .map(({ event }) => event.id as string)
      .filter((id) => recorded.includes(id));
    expect([objectId, arrived]).toEqual([objectId, recorded]);
  }
}, 120_000);

async function customerAt(
  { api }: Tapbench,
  email: string,
): Promise<{ id: string; createdTimestamp: number }> {
  const { status, body } = await api('POST', '/v1/customers', { email });
  expect(status).toBe(200);
  return body;
}

test('two servers: an endpoint that is changed, or made inactive, at one gets the next events of the other accordingly', async () => {
  const { first, second, rows } = servers;
  const [before, after] = [await fixture.receiver(), await fixture.receiver()];
  const eventTypes = ['Customer.created'];
  const { body } = await first.api('POST', '/v1/webhooks', { url: before.url, active: true, eventTypes });
  const path = `/v1/webhooks/${body.id}`;
  const emails = (of: Receiver) => of.deliveries.map(({ event }) => event.data.email as string);
  await customerAt(second, 'one@corner.example');
  await waitFor('the first event', () => before.deliveries.length === 1);
  expect((await first.api('PATCH', path, { url: after.url })).status).toBe(200);
  await customerAt(second, 'two@corner.example');
  await waitFor('the second event', () => after.deliveries.length === 1);
  expect((await first.api('PATCH', path, { active: false })).status).toBe(200);
  await customerAt(second, 'three@corner.example');
  const [third] = await rows<{ n: string }>(
    `SELECT count(*) AS n FROM deliveries JOIN events ON events.id = event_id WHERE webhook_id = $1 AND body LIKE '%three@corner%'`,
    body.id,
  );
  expect([third!.n, emails(before), emails(after)]).toEqual([
    '0',
    ['one@corner.example'],
    ['two@corner.example'],
  ]);
});

test('two servers: a sandbox that one deletes, and creates again by its name, answers only its new keys at the other', async () => {
  const { first, second } = servers;
  const create = async () => (await first.api('POST', '/sandboxes', { name: 'ci' })).body.secretKey as string;
  const customers = async (authorization: string) =>
    second.api('GET', '/v1/customers', undefined, { authorization });
  const old = await create();
  expect(
    await second.api('POST', '/v1/customers', { email: 'kim@corner.example' }, { authorization: old }),
  ).toMatchObject({ status: 200 });
  expect((await first.api('DELETE', '/sandboxes/ci')).status).toBe(200);
  const seen = new Set<number>();
  await waitFor('the other server to refuse the key', async () => {
    const { status } = await customers(old);
    seen.add(status);
    return status === 403;
  });
  expect([...seen].filter((status) => status !== 200 && status !== 403)).toEqual([]);

  const kept = await create();
  expect((await customers(kept)).body.items).toEqual([]);
  expect((await first.api('DELETE', '/sandboxes/ci')).status).toBe(200);
  const created = await create();
  const answers = await waitFor('the other server to know the new keys alone', async () => {
    const [before, now] = [await customers(kept), await customers(created)];
    expect([200, 403]).toContain(before.status);
    return before.status === 403 ? now : undefined;
  });
  expect([answers.status, answers.body.items]).toEqual([200, []]);
});

test('two servers: what is written by the keys of a deleted sandbox is refused, and is not in the next one of its name', async () => {
  const { first, second, rows } = servers;
  const create = async () =>
    (await first.api('POST', '/sandboxes', { name: 'shop' })).body.secretKey as string;
  const old = await create();
  const write = async (server: Tapbench, authorization: string) =>
    server.api('POST', '/v1/customers', { email: `kim${(written += 1)}@corner.example` }, { authorization });
  let written = 0;
  expect((await write(second, old)).status).toBe(200);
  expect((await first.api('DELETE', '/sandboxes/shop')).status).toBe(200);
  const kept = await create();
  const [{ schema }] = (await rows<{ schema: string }>(
    `SELECT facts::json->>'schema' AS schema FROM sandboxes WHERE name = 'shop'`,
  )) as [{ schema: string }];
  // Until the other server has heard of the deletion, and once more.
  const seen = new Set<number>();
  await waitFor('the other server to know the new key', async () => {
    seen.add((await write(second, old)).status);
    return (await second.api('GET', '/v1/customers', undefined, { authorization: kept })).status === 200;
  });
  seen.add((await write(second, old)).status);
  expect([...seen]).toEqual([403]);
  expect(await rows(`SELECT id FROM "${schema}".customers`)).toEqual([]);
  // Requests are stored later, by then also those that the other server held for the sandbox before.
  const methods = await waitFor('the other server to store requests', async () => {
    const stored = await rows<{ method: string }>(`SELECT DISTINCT method FROM "${schema}".requests`);
    return stored.length > 0 && stored.map(({ method }) => method);
  });
  expect(methods).toEqual(['GET']);
});

test('two servers: a fork from a sandbox that the other has deleted, and a change of it, get 404', async () => {
  const { first, second } = servers;
  for (const [index, use] of ['open', 'closed'].entries()) {
    const name = `source-${index}`;
    const { secretKey: authorization } = (await first.api('POST', '/sandboxes', { name })).body;
    const listed = (await second.api('GET', '/sandboxes')).body.items as { name: string }[];
    expect(listed.map((sandbox) => sandbox.name)).toContain(name);
    if (use === 'open')
      expect((await second.api('GET', '/v1/customers', undefined, { authorization })).status).toBe(200);
    expect((await first.api('DELETE', `/sandboxes/${name}`)).status).toBe(200);
    const change = await second.api('PATCH', `/sandboxes/${name}`, { strict: 'on' });
    const fork = await second.api('POST', '/sandboxes', { name: `fork-${index}`, from: name });
    expect([use, change.status, fork.status]).toEqual([use, 404, 404]);
    const after = (await first.api('GET', '/sandboxes')).body.items as { name: string }[];
    expect(after.map((sandbox) => sandbox.name).filter((found) => found.endsWith(`-${index}`))).toEqual([]);
  }
});

test('two servers: the clock that one advances holds at the other', async () => {
  const { first, second } = servers;
  const before = await customerAt(second, 'before@corner.example');
  const ahead = 3 * 86_400;
  const { body } = await first.api('POST', '/sandbox/clock/advance', { seconds: ahead });
  let made = 0;
  await waitFor('the other server to create with the new time', async () => {
    const { createdTimestamp } = await customerAt(second, `after${(made += 1)}@corner.example`);
    return createdTimestamp >= before.createdTimestamp + ahead;
  });
  expect((await second.api('GET', '/sandbox/clock')).body.offsetSeconds).toBe(body.offsetSeconds);
});

test('two servers: a payment at one succeeds as soon as the other has advanced the clock', async () => {
  const { first, second } = servers;
  const [terminalId] = await servers.startTerminals(first, 1, ['--take-over']);
  for (const [advances, takes] of [
    [first, second],
    [second, first],
  ] as const) {
    expect((await advances.api('POST', '/sandbox/clock/advance', { seconds: 3_600 })).status).toBe(200);
    await pay(takes, terminalId!);
    const ended = await waitFor('the payment to end', async () => {
      const { action } = (await takes.api('GET', `/v1/in-person/terminals/${terminalId}`)).body;
      return action.status !== 'InProgress' && action;
    });
    expect([ended.status, ended.error]).toEqual(['Succeeded', null]);
  }
});
