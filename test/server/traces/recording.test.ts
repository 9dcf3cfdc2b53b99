import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTrace, traceFile } from '../../../server/traces/trace-file.ts';
import type { TraceItem } from '../../../server/traces/trace-item.schema.ts';
import type { TraceLimits } from '../../../server/traces/trace-items.ts';
import { startRecording } from '../../../server/traces/recording.ts';
import { findCardNumbers } from '../../kit/card-numbers.ts';
import { CARDS, encoded, openCheckout } from '../../kit/checkout.ts';
import { upload } from '../../kit/form.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld({ seed: 'a seed' })));
afterEach(() => world.close());

const start = () => world.server.services.recordings!.startUnlisted('a payment');
const ofKind = <K extends TraceItem['kind']>(items: readonly TraceItem[], kind: K) =>
  items.filter((item): item is Extract<TraceItem, { kind: K }> => item.kind === kind);

test('recording: has requests with their replies, acts, terminals, messages, steps, events and webhooks, in order', async () => {
  const recording = await start();
  await world.listen('shop', ['PaymentSession.captured']);
  const till = openTill(world, await world.addTerminal());
  await till.takes(1742);
  const { header, items, machines, snapshot, summary } = await recording.stop();

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
  const recording = await start();
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

  const trace = await recording.stop();
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

/** Returns what is recorded of requests with these bodies to a path, and asserts that none of `secrets` is in it. */
async function recorded(path: string, bodies: readonly string[], secrets: RegExp, type = 'application/json') {
  const recording = await start();
  const authorization = world.server.services.settings.secretKey;
  for (const body of bodies) {
    const headers = { authorization, 'content-type': type };
    await world.fetch(`http://tapbench.test${path}`, { method: 'POST', headers, body });
  }
  const { items } = await recording.stop();
  expect(JSON.stringify(items)).not.toMatch(secrets);
  return ofKind(items, 'call');
}

test('recording: has no request that waits for a terminal, and one that reads it', async () => {
  const recording = await start();
  const { terminalId } = await world.addTerminal();
  await world.api.get(`/sandbox/terminals/${terminalId}?online=true`);
  await world.api.get(`/sandbox/terminals/${terminalId}?waitSeconds=1`);
  const urls = ofKind((await recording.stop()).items, 'call').map(({ url }) => url);
  expect(urls.filter((url) => url.includes('/sandbox/'))).toEqual([
    `/sandbox/terminals/${terminalId}?waitSeconds=1`,
  ]);
});

test('recording: hides card numbers and codes given as JSON numbers', async () => {
  const body =
    '{"number":4242424242424241,"cardNumber":4242424242424241,"cvc":123,"other":4242424242424242,"amount":1742}';
  const calls = await recorded('/v1/payment-sessions', [body], /4242424242|123/);
  expect(calls).toMatchObject([
    { body: { json: { number: 0, cardNumber: 0, cvc: 0, other: 0, amount: 1742 } } },
  ]);
});

test('recording: hides secrets in broken JSON, which stays broken', async () => {
  const bodies = [
    '{"cardDetails":{"number":"4242 4242 4242 4241","cvc":"123"',
    '{"cvc":123,"number":4242424242424242,}',
    '{"password":"a}b","note":"5711{{4242424242424242D30122010000012345"',
  ];
  const calls = await recorded('/v1/payment-sessions', bodies, /4242424242|4242 4242|123[,"]|a}b/);
  expect(calls.map(({ body }) => body)).toEqual([
    { text: '{"cardDetails":{"number":"{{number:424242··4241}}","cvc":"{{code:3}}"' },
    { text: '{"cvc":{{code:3}},"number":{{card:visa-4242}},}' },
    {
      text: '{"password":"{{secret:5}}","note":"5711{{brace}}{{card:visa-4242}}D{{number:301220··1234}}5"',
    },
  ]);
});

test('recording: hides secrets in a form', async () => {
  const body = 'number=4242+4242+4242+4241&cvc=123&password=a%26b&note=x+y';
  const type = 'application/x-www-form-urlencoded';
  const calls = await recorded('/v1/payment-sessions', [body], /4242.4242|123|a%26b/, type);
  expect(calls).toMatchObject([
    { body: { text: 'number={{number:424242··4241}}&cvc={{code:3}}&password={{secret:5}}&note=x+y' } },
  ]);
});

test('recording: hides keys pressed at a terminal in every form', async () => {
  const { terminalId } = await world.addTerminal();
  const bodies = [
    '{"keys":["1","2","enter"]}',
    '{"keys":["1234"]}',
    '{"keys":"1234"}',
    '{"keys":[1,2,3,4]}',
    '{"keys":["1","2"',
    '{"keys":[1, 2',
  ];
  const calls = await recorded(`/sandbox/terminals/${terminalId}/press-keys`, bodies, /1234|"[12]"/);
  expect(calls.map(({ body }) => body)).toEqual([
    { json: { keys: ['{{pin:1}}', '{{pin:2}}', 'enter'] } },
    { json: { keys: ['••••'] } },
    { json: { keys: '••••' } },
    { json: { keys: [0, 0, 0, 0] } },
    { text: '{"keys":["•","•"' },
    { text: '{"keys":[•, •' },
  ]);
});

test('recording: hides the secrets of query strings, and user info and queries of URLs', async () => {
  const path = '/v1/webhooks?token=tok-1&cvc=123&number=4242+4242+4242+4241&page=2';
  const body = JSON.stringify({
    url: 'https://ann:pass-1@shop.test/hook?token=tok-1',
    note: 'at http://a:pass-1@b/',
  });
  const calls = await recorded(path, [body], /tok-1|123|4242.4242|pass-1/);
  expect(calls).toMatchObject([
    {
      url: '/v1/webhooks?token={{secret:6}}&cvc={{code:3}}&number={{number:424242··4241}}&page=2',
      body: {
        json: {
          url: 'https://{{secret:5}}@shop.test/hook?token={{secret:6}}',
          note: 'at http://{{secret:7}}@b/',
        },
      },
    },
  ]);
});

test('recording: has what endpoints answered, the results of 3-D Secure, and ids whose digits look like a card number', async () => {
  const recording = await start();
  const { url } = await world.listen('shop', ['PaymentSession.requires_action']);
  const shop = openCheckout(world.api);
  const session = await shop.session({ metadata: { order: 'ac_9adf547f-131b-43bb-9695-970222782278' } });
  await shop.pay(session, CARDS.challenge);
  await world.settled();
  const challengeResult = encoded({ transStatus: 'Y' });
  await shop.goOn(session, { challengeResult });
  const { items } = await recording.stop();

  expect(ofKind(items, 'answer')).toMatchObject([
    { request: 'allowed', url, sent: null, answer: true },
    {
      request: 'POST',
      url,
      sent: { eventType: 'PaymentSession.requires_action' },
      answer: { status: 200, body: '' },
    },
  ]);
  const calls = ofKind(items, 'call');
  expect(calls.at(-1)).toMatchObject({ settled: true, body: { json: { threeDs: { challengeResult } } } });
  expect(JSON.stringify(calls)).toContain('ac_9adf547f-131b-43bb-9695-970222782278');
});

test('trace: a file is read as it was written, and refused in words where it is damaged, newer or no trace', async () => {
  const recording = await start();
  await world.api.get('/v1/webhooks');
  const trace = await recording.stop();
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
  const newer = (each: string) =>
    each.replace(/"version":(\d+)/, (_, version) => `"version":${Number(version) + 1}`);
  await expect(readTrace(changed(newer))).rejects.toThrow('the trace was written by a newer version');
});

test('recording: has placeholders with country, length and end of an IBAN, and of another account number', async () => {
  const recording = await start();
  const path = `/v1/accounts/${world.platformId}/payout-methods`;
  const iban = { accountNumberType: 'Iban', accountNumber: 'DE89370400440532013000' };
  await world.api.post(path, { type: 'BankAccount', currency: 'EUR', country: 'DE', bankAccount: iban });
  const account = {
    accountNumberType: 'Other',
    accountNumber: '12345678',
    bankIdType: 'SortCode',
    bankId: '200000',
  };
  await world.api.post(path, { type: 'BankAccount', currency: 'GBP', country: 'GB', bankAccount: account });
  const { items } = await recording.stop();
  expect(ofKind(items, 'call')).toMatchObject([
    { body: { json: { bankAccount: { accountNumber: '{{iban:DE:22:3000}}' } } } },
    { body: { json: { bankAccount: { accountNumber: '{{digits:8:5678}}' } } } },
  ]);
  expect(JSON.stringify(items)).not.toMatch(/DE89370400440532013000|12345678/);
});

test('recording: has the number and the hash of the bytes of an uploaded file, not the bytes', async () => {
  const recording = await start();
  await upload(world.api, 'IdentityDocument', { name: 'passport.png', type: 'image/png', size: 20_000 });
  const { items } = await recording.stop();
  expect(ofKind(items, 'call')).toMatchObject([
    {
      url: '/v1/files',
      body: {
        form: { category: 'IdentityDocument' },
        file: {
          name: 'passport.png',
          contentType: 'image/png',
          bytes: 20_000,
          sha256: createHash('sha256').update(new Uint8Array(20_000).fill(7)).digest('hex'),
        },
      },
    },
  ]);
  expect(JSON.stringify(items).length).toBeLessThan(5_000);
});

test('recording: ends by itself when it is as large as it may be, in items or in characters', async () => {
  const { services, dashboard } = world.server;
  const startWith = (limits: TraceLimits) =>
    startRecording({ services, dashboard, idle: () => true, title: '', limits });
  const few = await startWith({ items: 3, characters: 100_000 });
  const short = await startWith({ items: 100, characters: 500 });
  for (let count = 0; count < 3; count++) await world.api.get('/v1/webhooks');
  expect(few.endMs).toBe(world.clock.nowMs());
  const traces = [await few.stop(), await short.stop()];
  expect(traces.map(({ summary }) => summary.isCut)).toEqual([true, true]);
  expect(traces[0]!.items).toHaveLength(3);
  expect(JSON.stringify(traces[1]!.items).length).toBeLessThan(520);
  expect(await readTrace(await traceFile(traces[0]!))).toEqual(traces[0]);
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

test('recording: one that has the names of its messages in their titles alone is read as one that has them', async () => {
  const recording = await start();
  const till = openTill(world, await world.addTerminal());
  await till.takes(1742);
  const trace = await recording.stop();
  const messages = ofKind(trace.items, 'output').map(({ entry }) => entry.message);
  expect(messages).toEqual(expect.arrayContaining(['action.start', 'display.shown', 'action.ended']));

  const older = structuredClone(trace.items);
  for (const { entry } of ofKind(older, 'output')) delete entry.message;
  const { items } = await readTrace(await traceFile({ ...trace, items: older }));
  expect(ofKind(items, 'output').map(({ entry }) => entry.message)).toEqual(messages);
});
