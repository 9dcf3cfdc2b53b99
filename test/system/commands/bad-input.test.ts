import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom, systemRandom } from '../../../protocol/ids.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import { silentLog } from '../../../protocol/log.ts';
import { envelope, connectedPeer } from '../../contract/peer.ts';
import { call, type Answer, type Json } from '../kit/http-call.ts';
import { waitFor, realTime } from '../kit/wait-for.ts';
import { almost, bodyOperations } from '../stores/random-bodies.ts';
import { portOf, type Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
let till: string;
beforeAll(async () => {
  tapbench = await fixture.tapbench();
  till = `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`;
});

const MIB = 1024 * 1024;

const refused = (status: number, message: RegExp) => ({
  status,
  body: { code: String(status), errors: [{ message: expect.stringMatching(message) }] },
});

async function openSocket(url: string): Promise<Socket> {
  const socket = connect(Number(portOf(url)), '127.0.0.1');
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  // The server may hang up while we write.
  socket.on('error', () => {});
  fixture.onCleanUp(() => void socket.destroy());
  return socket;
}

/** Says these bytes and answers all that came until the server hung up. */
async function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  const socket = await openSocket(url);
  let heard = '';
  socket.on('data', (chunk) => (heard += String(chunk)));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return heard;
}

/** A payment from its start to its end. */
async function pays(amount: number): Promise<Json> {
  const body = { amounts: { requested: amount }, currency: 'GBP' };
  expect((await tapbench.api('POST', `${till}/payment`, body)).status).toBe(200);
  return waitFor('the payment to end', async () => {
    const { action } = (await tapbench.api('GET', till)).body;
    return action.status === 'InProgress' ? undefined : action;
  });
}

test.each([
  ['no request line', 'GARBAGE\r\n\r\n'],
  ['a TLS hello', Buffer.from('16030100c4010000c00303', 'hex')],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde'],
  ['a length that is none', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n'],
  ['a chunk that is none', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n'],
])('malformed HTTP: %s gets 400', async (_, bytes) => {
  const answer = await exchange(tapbench.url, bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain('"code":"bad_request"');
});

test('path: undecodable, unknown and wrong-method paths are refused', async () => {
  const get = (path: string) => call({ method: 'GET', url: tapbench.url + path });
  expect(await get('/%ff%fe')).toMatchObject(refused(400, /cannot be decoded/));
  expect(await get('/v1/in-person/terminals/%ff%fe')).toMatchObject(refused(400, /cannot be decoded/));
  expect(await get('/nothing/here')).toMatchObject(refused(404, /nothing at/));
  expect(await tapbench.api('DELETE', `${till}/payment`)).toMatchObject(refused(405, /not allowed/));
});

test('request body: 1 MiB is read, one byte more is refused', async () => {
  const send = (bytes: number): Promise<Answer> => {
    const frame = JSON.stringify({ name: 'Corner Shop', ignored: '' });
    const body = frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
    const headers = { authorization: tapbench.secretKey };
    return call({ method: 'POST', url: `${tapbench.url}/v1/in-person/locations`, headers, body });
  };
  expect(await send(MIB)).toMatchObject(refused(400, /^address/));
  expect(await send(MIB + 1)).toMatchObject(refused(413, /larger than 1 MiB/));
});

test('request body: one that is nested too deeply is refused, while everything is recorded', async () => {
  const recording = (await tapbench.api('POST', '/sandbox/recordings', {})).body.id;
  const deep = '['.repeat(3_000) + ']'.repeat(3_000);
  const send = (authorization: string, path: string, body: string, type = 'application/json') =>
    call({
      method: 'POST',
      url: tapbench.url + path,
      headers: { authorization, 'content-type': type },
      body,
    });
  const tooDeep = refused(400, /^arrays and objects in the body are nested more than 32 deep$/);
  for (const body of [deep, `{"metadata":${deep}}`, '{"a":'.repeat(150_000), `{"${deep}":${deep}}`])
    expect(await send(tapbench.publicKey, '/v1/payment-sessions/attempt-payment', body)).toMatchObject(
      tooDeep,
    );
  // Without credentials, at a path of no operation, and as a field of a form.
  expect((await send('', '/v1/customers', deep)).status).toBe(401);
  expect(await send(tapbench.secretKey, '/v1/nothing', deep)).toMatchObject(tooDeep);
  const part = `--x\r\ncontent-disposition: form-data; name="purpose"\r\ncontent-type: application/json\r\n\r\n`;
  const form = `${part}${deep}\r\n--x--\r\n`;
  const upload = await send(tapbench.secretKey, '/v1/files', form, 'multipart/form-data; boundary=x');
  expect(upload.status).toBe(400);
  // A query is flat, however it is written.
  const query = await call({
    method: 'GET',
    url: `${tapbench.url}/v1/customers?a${'[a]'.repeat(2_000)}=1`,
    headers: { authorization: tapbench.secretKey },
  });
  expect(query.status).toBe(200);

  expect(await pays(800)).toMatchObject({ status: 'Succeeded' });
  const trace = await call({
    method: 'GET',
    url: `${tapbench.url}/sandbox/recordings/${recording}/file`,
    headers: { authorization: tapbench.secretKey },
  });
  expect(trace.status).toBe(200);
});

test('request body: a hundred that never arrive delay no other caller', async () => {
  const head = `POST ${till}/payment HTTP/1.1\r\nhost: x\r\nauthorization: ${tapbench.secretKey}\r\n`;
  const body = JSON.stringify({ amounts: { requested: -1 }, currency: 'GBP' });
  const slow = await Promise.all(Array.from({ length: 100 }, () => openSocket(tapbench.url)));
  for (const socket of slow) socket.write(`${head}content-length: ${body.length}\r\n\r\n{`);
  expect(await pays(500)).toMatchObject({ status: 'Succeeded' });
  // The rest of one of them comes after all, in pieces.
  const [late] = slow;
  let heard = '';
  late!.on('data', (chunk) => (heard += String(chunk)));
  for (const byte of body.slice(1)) late!.write(byte);
  await waitFor('the refusal', () => /^HTTP\/1\.1 400 .*amounts\.requested/s.test(heard));
});

test('MQTT port: invalid bytes close the connection, and terminals continue', async () => {
  const random = seededRandom('garbage');
  const garbage = [
    'GET / HTTP/1.1\r\n\r\n',
    ...Array.from({ length: 30 }, (_, index) => random.bytes(1 + index * 37)),
    // A CONNECT that is too long to be one, and a PUBLISH before any CONNECT.
    Buffer.from('10ffffff7f', 'hex'),
    Buffer.from('300500036162630a', 'hex'),
  ];
  const sockets = await Promise.all(garbage.map(() => openSocket(tapbench.mqttUrl)));
  sockets.forEach((socket, index) => socket.write(garbage[index]!));
  expect(await pays(600)).toMatchObject({ status: 'Succeeded' });
});

test('MQTT port: a terminal that publishes as another changes nothing', async () => {
  const { locationId } = tapbench;
  const registration = { serialNumber: '1853012345', locationId };
  const mallory = (await tapbench.api('POST', '/v1/in-person/terminals', registration)).body.id;
  const credentials = (await tapbench.api('POST', `/pairing/terminals/${mallory}`)).body;
  const connector = mqttConnector({
    url: tapbench.mqttUrl,
    clock: realTime,
    random: systemRandom,
    log: silentLog,
  });
  const { link, history } = await connectedPeer(connector, { credentials });

  await tapbench.api('POST', `/sandbox/terminals/${tapbench.terminals[0]!.id}/cardholder`, {
    script: 'none',
  });
  const body = { amounts: { requested: 700 }, currency: 'GBP' };
  const { action } = (await tapbench.api('POST', `${till}/payment`, body)).body;
  const victim = `tapbench/terminals/${tapbench.terminals[0]!.id}/reports`;
  const own = `tapbench/terminals/${mallory}/reports`;
  const abandoned = JSON.stringify({ actionId: action.id, seq: 50, code: 'timeout' });
  for (const topic of [`${victim}/action-abandoned`, `${own}/action-abandoned`]) {
    await link.publish(envelope(topic, abandoned));
  }
  for (const text of ['', '{', '[]', 'null', '{"actionId":7}', '\u0000'.repeat(1000)]) {
    await link.publish(envelope(`${own}/action-authorise`, text));
    await link.publish(envelope(`${own}/presence`, text));
  }
  await link.publish(envelope(`${own}/presence`, JSON.stringify({ online: true }), true));
  await waitFor('the last of them to be handled', async () => {
    const { body: all } = await tapbench.api('GET', '/sandbox/terminals');
    return all.items.find(({ id }: Json) => id === mallory).online;
  });
  expect((await tapbench.api('GET', till)).body.action).toMatchObject({
    id: action.id,
    status: 'InProgress',
  });
  expect(history).toEqual(['online']);
  await link.close();
  expect((await tapbench.api('POST', `${till}/cancel-action`)).status).toBe(200);
  await tapbench.api('POST', `/sandbox/terminals/${tapbench.terminals[0]!.id}/cardholder`, { script: 'tap' });
});

test('webhooks: a receiver that hangs does not delay another', async () => {
  const [hanging, prompt] = [await fixture.receiver(), await fixture.receiver()];
  hanging.reply = () => 'hang';
  const eventTypes = ['Terminal.action_updated', 'PaymentSession.captured'];
  for (const { url } of [hanging, prompt]) {
    await tapbench.api('POST', '/v1/webhooks', { url, active: true, eventTypes });
  }
  for (let payment = 1; payment <= 3; payment++) {
    const startMs = realTime.nowMs();
    await pays(800 + payment);
    await waitFor('its webhooks', () => prompt.deliveries.length === 3 * payment);
    // A hanging attempt is given up after ten seconds: nobody waited for one.
    expect(realTime.nowMs() - startMs).toBeLessThan(9000);
  }
  expect(hanging.deliveries.length).toBeGreaterThan(0);
});

test('API: any body sent to any route gets a reply, and never a fault', async () => {
  const operations = bodyOperations((await tapbench.api('GET', '/openapi.json')).body);
  expect(operations.length).toBeGreaterThan(15);
  const ids = await idsByPath();
  const statuses = new Map<number, number>();
  for (const { method, path, schema } of operations) {
    const url = path.replace(
      /\{\w+\}/,
      () => ids.find(([start]) => path.startsWith(start))?.[1] ?? 'nothing',
    );
    await fc.assert(
      fc.asyncProperty(almost(schema), async (body) => {
        const { status, body: answer } = await tapbench.api(method, url, body);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect([method, url, status < 500, typeof answer]).toEqual([method, url, true, 'object']);
      }),
      { numRuns: 40, seed: 20260105 },
    );
  }
  // Else the bodies were too wild to come far.
  expect(statuses.get(200)).toBeGreaterThan(20);
  expect(statuses.get(400)).toBeGreaterThan(200);
});

/** An id that is there for each path that names one. */
async function idsByPath(): Promise<[string, string][]> {
  const first = async (path: string): Promise<string> => (await tapbench.api('GET', path)).body.items[0].id;
  return [
    ['/v1/in-person/terminals', tapbench.terminals[0]!.id],
    ['/sandbox/terminals', tapbench.terminals[0]!.id],
    ['/v1/in-person/locations', tapbench.locationId],
    ['/v1/webhooks', await first('/v1/webhooks')],
    ['/v1/payment-sessions', (await pays(900)).transaction.paymentSessionId],
    ['/sandbox/accounts', tapbench.subAccountId],
    ['/sandbox/events', await first('/v1/events')],
  ];
}

test('server: still runs after all that, and has logged no fault', async () => {
  expect(tapbench.child.running).toBe(true);
  expect((await tapbench.api('GET', '/healthz')).status).toBe(200);
  const { code, stderr } = await tapbench.kill('SIGINT');
  const faults = stderr.split('\n').filter((line) => /"level":(50|60)/.test(line));
  expect([code, faults]).toEqual([0, []]);
});
