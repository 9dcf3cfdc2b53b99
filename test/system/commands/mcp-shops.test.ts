import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startAgent } from '../kit/mcp-agent.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

async function startWithServer(options: readonly string[] = []) {
  const tapbench = await fixture.tapbench();
  const env = { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! };
  return { tapbench, ...(await startAgent(fixture, { env, options, cwd: fixture.folder() })) };
}

test('mcp: an agent adds a fault whose names it looked up, verifies that it struck, and removes it', async () => {
  const { tapbench, use } = await startWithServer();
  const { points } = await use('list_fault_points');
  expect(points).toContainEqual(
    expect.objectContaining({ at: 'api.reply', faults: expect.arrayContaining(['reset']) }),
  );
  const { faults, members } = await use('list_fault_points', { at: 'api.request' });
  expect(faults).toContainEqual({
    what: 'unavailable',
    text: 'The reply is 503. Nothing is done.',
    takesTime: false,
  });
  const { names } = members.find(({ member }: Json) => member === 'operation');
  expect(names).toContainEqual({ name: 'POST /v1/customers', text: 'Create a customer.' });

  const fault = { at: 'api.request', what: 'unavailable', operation: 'POST /v1/customers' };
  const { id } = await use('add_faults', { title: 'busy', faults: [fault] });
  expect(await use('verify_faults', { id })).toMatchObject({
    allStruck: false,
    unstruck: [expect.stringContaining('POST /v1/customers')],
  });
  const customer = { email: 'ana@corner.example' };
  expect((await tapbench.api('POST', '/v1/customers', customer)).status).toBe(503);
  expect(await use('verify_faults', { waitSeconds: 20 })).toMatchObject({
    allStruck: true,
    unstruck: [],
    plans: [{ id, struck: 1, strikes: [{ what: 'unavailable', subject: 'POST /v1/customers' }] }],
  });
  expect(await use('list_faults')).toEqual({
    items: [
      {
        id,
        title: 'busy',
        status: 'Ended',
        struck: 1,
        faults: [{ at: 'api.request', what: 'unavailable', text: expect.any(String), struck: 1 }],
      },
    ],
  });
  expect(await use('remove_faults', { id })).toMatchObject({ id, deleted: true });
  expect(await use('verify_faults')).toEqual({ error: 'the sandbox has no faults: add_faults adds some' });
});

test('mcp: a fault with a wrong name, member or number is refused with the field', async () => {
  const { use } = await startWithServer();
  const add = (fault: object) => use('add_faults', { faults: [fault] });
  const refused: [object, string][] = [
    [{ at: 'api.reply', what: 'resett' }, 'faults.0.what must be one of: [reset, no-reply, delay]'],
    [{ at: 'nowhere', what: 'reset' }, 'faults.0.at'],
    [
      { at: 'api.reply', what: 'reset', operation: 'POST /v1/customer' },
      'faults.0.when.operation must be an operation of the API, such as POST /v1/customers',
    ],
    [{ at: 'api.reply', what: 'reset', state: 'reading' }, 'faults.0.when.state is not a known field'],
    [{ at: 'api.reply', what: 'reset', percent: 101 }, 'faults.0.percent must be at most 100'],
  ];
  for (const [fault, problem] of refused)
    expect(await add(fault)).toEqual({ error: expect.stringContaining(problem) });
  expect(await use('remove_faults', { id: 'plan_7' })).toEqual({ error: expect.stringContaining('404') });
  expect(await use('remove_faults', { id: 'seven' })).toEqual({
    error: expect.stringContaining('id must be'),
  });
});

test('mcp: lists are short, and whole on request', async () => {
  const { tapbench, use } = await startWithServer();
  const [terminal] = tapbench.terminals;
  const { items, count } = await use('list_terminals');
  expect(count).toBe(tapbench.terminals.length);
  expect(Object.keys(items[0])).toEqual(['id', 'serialNumber', 'online', 'state']);
  expect(items[0].id).toBe(terminal!.id);
  expect((await use('list_terminals', { whole: true })).items[0]).toMatchObject({
    accountId: expect.any(String),
  });
  expect(await use('list_terminals', { from: 500 })).toEqual({ items: [], count });
  await tapbench.api('POST', '/v1/customers', { email: 'ana@corner.example' });
  const [event] = (await use('list_events', { limit: 1 })).items;
  expect(event).toEqual({
    id: expect.stringMatching(/^ev_/),
    eventType: 'Customer.created',
    objectId: expect.stringMatching(/^cus_/),
    createdTimestamp: expect.any(Number),
    deliveryStatus: 'None',
  });
  const [whole] = (await use('list_events', { limit: 1, whole: true })).items;
  expect(whole.data.email).toBe('ana@corner.example');
});

/** Sells once at the terminal that it is told, without a look at what happened. */
const CARELESS = `
const { TAPBENCH_URL, TAPBENCH_KEY, TAPBENCH_TERMINAL, TAPBENCH_ORDER, TAPBENCH_AMOUNT, TAPBENCH_CURRENCY } = process.env;
const path = TAPBENCH_URL + '/v1/in-person/terminals/' + TAPBENCH_TERMINAL + '/payment';
const body = JSON.stringify({
  amounts: { requested: Number(TAPBENCH_AMOUNT) },
  currency: TAPBENCH_CURRENCY,
  paymentSession: { metadata: { orderId: TAPBENCH_ORDER } },
});
const pay = () => fetch(path, { method: 'POST', headers: { authorization: TAPBENCH_KEY, 'content-type': 'application/json' }, body });
console.log('this would break the protocol on standard output');
for (let tries = 0; tries < 40; tries += 1) {
  const reply = await pay().catch(() => undefined);
  if (reply?.ok) break;
  await new Promise((resolve) => setTimeout(resolve, 250));
}
`;

function carelessShop(): string[] {
  const file = join(fixture.folder(), 'shop.mjs');
  writeFileSync(file, CARELESS);
  return ['--shop', `"${process.execPath}" "${file}"`];
}

test('mcp: an agent plays a drill with the built-in shops, and with its own only where the command names it', async () => {
  const { use } = await startWithServer();
  expect((await use('list_drills')).items).toContainEqual({
    name: 'lost-reply',
    title: expect.any(String),
    onTerminal: true,
  });
  const play = { name: 'lost-reply', integration: 'wrong' };
  expect(await use('play_drill', play)).toMatchObject({
    moneyWasLost: true,
    verdict: expect.stringContaining('charged 2 times'),
    drill: { page: 'docs/lost-replies.md' },
  });
  expect(await use('play_drill', { ...play, integration: 'right' })).toMatchObject({
    moneyWasLost: false,
    inconclusive: null,
  });
  expect(await use('play_drill', { ...play, integration: 'own' })).toEqual({
    error: expect.stringContaining('--shop'),
  });
  expect(await use('play_drill', { ...play, name: 'nothing' })).toEqual({
    error: expect.stringContaining('name must be one of'),
  });
  expect(await use('hunt')).toEqual({ error: expect.stringContaining('--shop') });
  expect(await use('certify', { kind: 'till', cases: ['till.*'] })).toEqual({
    error: expect.stringContaining('--shop'),
  });
});

test('mcp: a drill in which the own shop sells nothing does not say that no money was lost', async () => {
  const { use } = await startWithServer(['--shop', 'exit 3']);
  expect(await use('play_drill', { name: 'lost-reply', integration: 'own' })).toMatchObject({
    moneyWasLost: null,
    inconclusive: expect.stringContaining('exit code 3'),
  });
});

test('mcp: an agent plays a drill with its own shop, and hunts in it', async () => {
  const { use } = await startWithServer(carelessShop());
  expect(await use('play_drill', { name: 'lost-reply', integration: 'own' })).toMatchObject({
    moneyWasLost: true,
    verdict: expect.stringContaining('charged 2 times'),
  });
  const found = await use('hunt', { seconds: 60 });
  expect(found).toMatchObject({ verdict: expect.stringContaining('charged'), plan: [expect.any(String)] });
  expect(found.story.length).toBeGreaterThan(0);
  expect(await use('read_trace', { file: found.trace, limit: 1 })).toMatchObject({ items: [{ number: 0 }] });
});

test('mcp: what runs beside the own shop is started with it', async () => {
  const { use } = await startWithServer([...carelessShop(), '--process', 'worker=echo no licence; exit 3']);
  expect(await use('hunt', { seconds: 60 })).toEqual({
    error: expect.stringContaining(
      'the process worker failed with exit code 3 without any fault:\nno licence',
    ),
  });
  expect(await use('play_drill', { name: 'lost-reply', integration: 'own' })).toEqual({
    error: expect.stringContaining('a drill plays the shop without worker of --process'),
  });
});

test('mcp: an agent compares with the server of --compare-to, and with no other', async () => {
  const tapbench = await fixture.tapbench();
  const { secretKey } = (await tapbench.api('POST', '/sandboxes', { strict: 'on' })).body;
  const env = { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir!, COMPARE_KEY: secretKey };
  const options = ['--compare-to', tapbench.url];
  const { use } = await startAgent(fixture, { env, options, cwd: fixture.folder() });
  expect((await use('list_scenarios')).items).toContainEqual({
    area: 'customers',
    scenarios: expect.any(Number),
  });
  expect((await use('list_scenarios', { area: 'customers' })).items).toContainEqual({
    name: 'customers/create',
    title: expect.any(String),
  });
  expect(await use('compare', { only: ['customers/create'] })).toMatchObject({
    counts: { alike: 1, differing: 0, notShown: 0, notTried: 0, notRun: 0 },
    differences: [],
    notShown: [],
  });
  const { use: alone } = await startWithServer();
  expect((await alone('compare', { only: ['customers/create'] })).error).toContain(
    'start tapbench mcp with --compare-to',
  );
});

test('mcp: an agent certifies its own shop, a simulated terminal, and no endpoint that is not registered', async () => {
  const { tapbench, use } = await startWithServer(carelessShop());
  const { items } = await use('list_certificate_cases', { kind: 'till' });
  expect(items).toContainEqual({ id: 'till.drill.lost-reply', rule: expect.any(String) });
  const till = await use('certify', { kind: 'till', cases: ['till.drill.lost-reply'] });
  expect(till).toMatchObject({ passed: 1, failed: 1, 'not shown': 0, page: 'certificate/certificate.html' });
  expect(till.notTried).toBeGreaterThan(50);
  expect(till.results[1]).toMatchObject({
    id: 'till.drill.lost-reply',
    reason: expect.stringContaining('charged 2 times'),
  });
  expect(await use('read_trace', { file: till.results[1].trace, limit: 1 })).toMatchObject({
    items: [{ number: 0 }],
  });
  const [terminal] = tapbench.terminals;
  const device = { kind: 'device', name: terminal!.id, cases: ['device.payment'] };
  expect(await use('certify', device)).toMatchObject({ failed: 0, 'not shown': 0 });
  const endpoint = { kind: 'endpoint', name: 'http://127.0.0.1:1/hook', cases: ['endpoint.twice'] };
  expect(await use('certify', endpoint)).toEqual({ error: expect.stringContaining('no active webhook') });
  expect(await use('certify', { ...endpoint, cases: ['endpoint.none'] })).toEqual({
    error: expect.stringContaining('must be one of'),
  });
});
