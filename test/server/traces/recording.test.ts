import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTrace, traceFile } from '../../../server/traces/trace-file.ts';
import type { TraceItem } from '../../../server/traces/trace-format.schema.ts';
import { findCardNumbers } from '../../kit/card-numbers.ts';
import { CARDS, openCheckout } from '../../kit/checkout.ts';
import { openTill } from '../../kit/till.ts';
import { startWorld, type World } from '../../kit/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld({ seed: 'a seed' })));
afterEach(() => world.close());

const start = () => world.server.services.recordings!.startRecorder('a payment');
const ofKind = <K extends TraceItem['kind']>(items: readonly TraceItem[], kind: K) =>
  items.filter((item): item is Extract<TraceItem, { kind: K }> => item.kind === kind);

test('recording: has requests with their replies, acts, terminals, messages, steps, events and webhooks, in order', async () => {
  const recorder = await start();
  await world.listen('shop', ['PaymentSession.captured']);
  const till = openTill(world, await world.addTerminal());
  await till.takes(1742);
  const { header, items, machines, snapshot, summary } = await recorder.stop();

  expect(header).toMatchObject({ title: 'a payment', seed: 'a seed', clockMs: world.clock.nowMs() });
  expect(items.map(({ seq }) => seq)).toEqual(items.map(({ seq }) => seq).toSorted((a, b) => a - b));
  const call = ofKind(items, 'call').find(({ url }) => url.endsWith('/payment'));
  expect(call).toMatchObject({ method: 'POST', body: { json: { amounts: { requested: 1742 } } } });
  expect(ofKind(items, 'reply').find((reply) => reply.call === call!.seq)).toMatchObject({ status: 200 });
  expect(ofKind(items, 'terminal')).toMatchObject([
    { terminalId: till.terminal.terminalId, readLatencyMs: 0, cardholder: { script: 'none' } },
  ]);
  expect(ofKind(items, 'act')).toMatchObject([{ act: { act: 'present-card', card: 'visa-contactless' } }]);
  const outputs = ofKind(items, 'output').map(({ entry }) => entry.title);
  expect(outputs).toEqual(
    expect.arrayContaining([
      'action.authorise',
      'authorising → approved.printing.merchantCopy',
      'PaymentSession.captured',
      'PaymentSession.captured: 200 → shop.example',
    ]),
  );
  expect(machines.map(({ machineId }) => machineId)).toEqual(
    expect.arrayContaining(['action', 'serverAction', 'paymentSession']),
  );
  expect(snapshot.lines).toContainEqual(expect.objectContaining({ table: 'accounts' }));
  expect(summary).toMatchObject({ isCut: false, notReplayable: [], endMs: world.clock.nowMs() });
});

test('recording: is masked, with names for test cards and placeholders for secrets and PINs', async () => {
  const before = await world.listen('before', ['PaymentSession.captured']);
  const recorder = await start();
  const shop = openCheckout(world.api);
  const session = await shop.session();
  await shop.pay(session, CARDS.frictionless);
  await shop.attempt(session, { cardDetails: { number: '4000056655665556', cvc: '222' } });
  const till = openTill(world, await world.addTerminal());
  await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await till.reaches('awaitingPin');
  till.terminal.perform({ act: 'press-keys', keys: ['1', '9', 'clear', '1', '2', '3', '4', 'enter'] });
  await world.settled();

  const trace = await recorder.stop();
  const text = gunzipSync(await traceFile(trace)).toString();
  const { secretKey, pairingSecret } = world.server.services.settings;
  for (const secret of [secretKey, pairingSecret, before.secret, session.clientSecret])
    expect(text).not.toContain(secret);
  expect(findCardNumbers(text)).toEqual([]);
  const attempts = ofKind(trace.items, 'call').filter(({ url }) => url.endsWith('attempt-payment'));
  expect(attempts).toMatchObject([
    { body: { json: { cardDetails: { number: '{{card:visa-0085}}', cvc: '{{code:3}}' } } } },
    { body: { json: { cardDetails: { number: '{{number:400005··5556}}' } } } },
  ]);
  expect(ofKind(trace.items, 'act').at(-1)?.act).toEqual({
    act: 'press-keys',
    keys: ['{{pin:1}}', '{{wrong:2}}', 'clear', '{{pin:1}}', '{{pin:2}}', '{{pin:3}}', '{{pin:4}}', 'enter'],
  });
  expect(trace.summary.secrets.map(({ of }) => of)).toEqual(
    expect.arrayContaining(['secretKey', 'pairingSecret', null]),
  );
});

test('trace: a file is read as it was written, and refused in words where it is damaged, newer or no trace', async () => {
  const recorder = await start();
  await world.api.get('/v1/webhooks');
  const trace = await recorder.stop();
  const file = await traceFile(trace);
  expect(await readTrace(file)).toEqual(trace);

  const text = gunzipSync(file).toString();
  const changed = (change: (text: string) => string) => gzipSync(change(text));
  await expect(readTrace(Buffer.from('no trace'))).rejects.toThrow('the file is not a trace of Tapbench');
  await expect(readTrace(gzipSync('{}\n'))).rejects.toThrow('the file is not a trace of Tapbench');
  await expect(readTrace(file.subarray(0, -20))).rejects.toThrow('the trace is damaged: its end is missing');
  await expect(readTrace(changed((each) => each.replace('a payment', 'another')))).rejects.toThrow(
    'the trace is damaged: its checksum does not match',
  );
  await expect(readTrace(changed((each) => each.replace('"version":1', '"version":2')))).rejects.toThrow(
    'the trace was written by a newer version',
  );
});

test('recordings: one is started, listed, saved and deleted by requests, which are not in it', async () => {
  const { body: started } = await world.api.post('/sandbox/recordings', { title: 'mine' });
  expect(started).toMatchObject({ title: 'mine', status: 'Recording', endedTimestamp: null });
  await world.api.get('/v1/webhooks');
  const path = `/sandbox/recordings/${started.id}`;
  const answer = await world.fetch(`http://tapbench.test${path}/file`, {
    headers: { authorization: world.server.services.settings.secretKey },
  });
  const trace = await readTrace(Buffer.from(await answer.arrayBuffer()));
  expect(ofKind(trace.items, 'call').map(({ url }) => url)).toEqual(['/v1/webhooks']);
  const { body: list } = await world.api.get('/sandbox/recordings');
  expect(list.items).toMatchObject([{ id: started.id, status: 'Ended', items: 2 }]);
  expect((await world.api.delete(path)).body).toEqual({ id: started.id, deleted: true });
  expect((await world.api.get(`${path}/file`)).status).toBe(404);
});

test('recordings: a sandbox holds five at once', { tags: ['refusal:too_many_recordings'] }, async () => {
  for (let count = 0; count < 5; count++) await world.api.post('/sandbox/recordings', {});
  expect(await world.api.post('/sandbox/recordings', {})).toMatchObject({
    status: 409,
    body: { errors: [{ message: expect.stringContaining('there are 5 recordings') }] },
  });
});
