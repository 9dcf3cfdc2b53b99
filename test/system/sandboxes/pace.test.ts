import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TraceOutput } from '../../../server/traces/trace-item.schema.ts';
import { readTrace } from '../../../server/traces/trace-file.ts';
import type { Json } from '../kit/http-call.ts';
import type { Receiver } from '../kit/receiver.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { callerOf, type Tapbench } from '../kit/tapbench.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
beforeAll(async () => {
  tapbench = await fixture.tapbench();
});

const SCRIPTS = ['tap', 'contact-pin', 'wrong-pin-twice', 'remove-early', 'press-cancel'];

/** A sandbox with a terminal that is online and an endpoint for the webhooks of its payments. */
interface Shop {
  name: string;
  secretKey: string;
  api: Tapbench['api'];
  terminal: string;
  receiver: Receiver;
}

async function openShop(input: { name: string; pace?: string; from?: string }): Promise<Shop> {
  const { body: sandbox } = await tapbench.api('POST', '/sandboxes', input);
  const { secretKey, terminals } = sandbox;
  const api = callerOf({ url: tapbench.url, secretKey });
  const terminal: string = terminals[0].id;
  const receiver = await fixture.receiver();
  const eventTypes = ['PaymentSession.captured', 'Terminal.action_updated'];
  await api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  const state = async () => (await api('GET', `/sandbox/terminals/${terminal}`)).body;
  await waitFor('the terminal to be online', async () => (await state()).online);
  return { ...input, secretKey, api, terminal, receiver };
}

const typesOf = ({ receiver }: Shop) => receiver.deliveries.map(({ event }) => event.eventType);

/** Takes a payment whose cardholder follows a script, and returns its end once that was delivered. */
async function pay({ api, terminal, receiver }: Shop, cardholder: object): Promise<Json> {
  await api('POST', `/sandbox/terminals/${terminal}/cardholder`, cardholder);
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  const { action } = (await api('POST', `/v1/in-person/terminals/${terminal}/payment`, body)).body;
  return waitFor(`the end of ${JSON.stringify(cardholder)}`, () => {
    const told = receiver.deliveries.map(({ event }) => event.data.action);
    return told.find((each) => each?.id === action.id && each.status !== 'InProgress');
  });
}

/** Takes a payment by each script. Returns what a recording has, and whether its replay agrees. */
async function recordScripts(shop: Shop) {
  const { api, name, secretKey } = shop;
  const { body: recording } = await api('POST', '/sandbox/recordings', { title: name });
  for (const script of SCRIPTS) await pay(shop, { script });
  const captured = () => typesOf(shop).filter((type) => type === 'PaymentSession.captured');
  await waitFor('all webhooks', () => captured().length === SCRIPTS.length - 1);
  const file = join(fixture.folder(), `${name}.tapbench`);
  const env = { TAPBENCH_URL: tapbench.url, SECRET_KEY: secretKey };
  expect((await fixture.run(['recordings', 'save', recording.id, file], { env })).code).toBe(0);
  const { items } = await readTrace(readFileSync(file));
  const entries = items
    .filter((item): item is TraceOutput => item.kind === 'output')
    .map(({ entry }) => entry);
  const replay = await fixture.run(['replay', file]);
  return { entries, replayed: [replay.stdout, replay.stderr, replay.code] };
}

type Entries = Awaited<ReturnType<typeof recordScripts>>['entries'];

/** Titles without ids, of what one part of the stack did. */
const titles = (entries: Entries) => entries.map(({ title }) => title.replace(/ps_\w+/, 'ps'));

/** The commands, the reports, the steps of each machine, and the entries of the ledger with the events, each in its order. */
function ordersOf(entries: Entries) {
  const steps: Record<string, string[]> = {};
  for (const { step, title } of entries)
    if (step) (steps[step.machineId] ??= []).push(`${title} by ${step.event}`);
  const ofKind = (...kinds: string[]) => titles(entries.filter(({ kind }) => kinds.includes(kind)));
  const [commands, reports] = [ofKind('mqtt.command'), ofKind('mqtt.report')];
  return { commands, reports, steps, made: ofKind('event', 'posting') };
}

/** Takes a payment in each shop at the same moment, and returns the names of the shops as the payments end. */
async function inOrderOfEnds(...sales: [Shop, object][]): Promise<string[]> {
  const ended: string[] = [];
  const sell = async ([shop, cardholder]: [Shop, object]) => {
    expect((await pay(shop, cardholder)).status).toBe('Succeeded');
    ended.push(shop.name);
  };
  await Promise.all(sales.map(sell));
  return ended;
}

/** Takes several seconds at a real pace. */
const SLOW = { script: 'wrong-pin-twice' };

test('pace: an instant sandbox records what a real one does, in the same order, and both replay', async () => {
  const real = await openShop({ name: 'real' });
  const instant = await openShop({ name: 'instant', pace: 'instant' });
  const [slow, fast] = [await recordScripts(real), await recordScripts(instant)];
  expect(ordersOf(fast.entries)).toEqual(ordersOf(slow.entries));
  expect(Object.keys(ordersOf(slow.entries).steps)).toEqual(['serverAction', 'action', 'paymentSession']);
  expect(typesOf(instant)).toEqual(typesOf(real));
  const identical = [expect.stringMatching(/^identical: /), '', 0];
  expect([slow.replayed, fast.replayed]).toEqual([identical, identical]);
});

test('pace: an instant cardholder waits for as long as a request asks', async () => {
  const shop = await openShop({ name: 'asked', pace: 'instant' });
  const beganMs = realTime.nowMs();
  expect((await pay(shop, { script: 'tap', delayMs: 700 })).status).toBe('Succeeded');
  expect(realTime.nowMs() - beganMs).toBeGreaterThanOrEqual(700);
});

test('pace: a change reaches the terminals before the next payment, and a fork keeps it', async () => {
  const real = await openShop({ name: 'unchanged' });
  const shop = await openShop({ name: 'changed' });
  const update = (pace: string) => tapbench.api('PATCH', '/sandboxes/changed', { pace });
  expect((await update('instant')).body.pace).toBe('instant');
  const fork = await openShop({ name: 'fork', from: 'changed' });
  const ends = await inOrderOfEnds([real, { script: 'tap' }], [shop, SLOW], [fork, SLOW]);
  expect(ends.at(-1)).toBe('unchanged');
  expect((await update('real')).body.pace).toBe('real');
  expect(await inOrderOfEnds([shop, SLOW], [fork, SLOW])).toEqual(['fork', 'changed']);
});

test('pace: a simulator in another process follows that of the server, which `up --pace` sets', async () => {
  const server = await fixture.tapbench({ args: ['--pace', 'instant'], env: { SIM_AUTOSTART: 'off' } });
  expect((await server.api('GET', '/sandboxes/default')).body.pace).toBe('instant');
  const env = { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey, DATA_DIR: fixture.folder() };
  const sim = fixture.command(['sim', '--terminals', '1', '--json', '--cardholder', SLOW.script], { env });
  const [line] = await sim.prints(/^\{.*\}$/m);
  const path = `/v1/in-person/terminals/${JSON.parse(line).terminals[0].id}`;
  const real = await openShop({ name: 'beside' });
  const ended: string[] = [];
  const sell = async () => {
    await server.api('POST', `${path}/payment`, { amounts: { requested: 1742 }, currency: 'GBP' });
    const ends = async () => (await server.api('GET', path)).body.action.status === 'Succeeded';
    await waitFor('the payment of the simulator to end', ends);
    ended.push('simulator');
  };
  await Promise.all([sell(), inOrderOfEnds([real, SLOW]).then(() => ended.push('beside'))]);
  expect(ended).toEqual(['simulator', 'beside']);
});
