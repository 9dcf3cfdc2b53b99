import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Child } from '../kit/child-command.ts';
import { call, type Json } from '../kit/http-call.ts';
import { waitFor, realTime } from '../kit/wait-for.ts';
import type { Delivery, Receiver } from '../kit/receiver.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let up: Child;
let curl: string;
let receiver: Receiver;
let secret: string;
let answered: Json;
let answeredAtMs: number;

/** What a person does who reads what `tapbench up` prints: register a webhook, paste the command. */
beforeAll(async () => {
  const env = { PORT: '0', MQTT_PORT: '0', DATA_DIR: fixture.folder() };
  up = fixture.command(['up'], { env });
  await up.prints(/Ctrl-C stops/);
  [, curl] = (await up.prints(/^ {2}(curl .* -d .*)$/m)) as unknown as [string, string];
  const [, url] = (await up.prints(/API +(\S+)/)) as unknown as [string, string];
  const [, authorization] = (await up.prints(/Secret key +(\S+)/)) as unknown as [string, string];

  receiver = await fixture.receiver();
  const eventTypes = ['Terminal.action_updated', 'PaymentSession.approved', 'PaymentSession.captured'];
  const body = JSON.stringify({ url: receiver.url, active: true, eventTypes });
  const created = await call({ method: 'POST', url: `${url}/webhooks`, headers: { authorization }, body });
  secret = created.body.secret;

  const pasted = await fixture.program('sh', ['-c', curl]).ended;
  answeredAtMs = realTime.nowMs();
  answered = JSON.parse(pasted.stdout);
});

const captured = (): Delivery | undefined =>
  receiver.deliveries.find(({ event }) => event.eventType === 'PaymentSession.captured');

test('first payment: the printed command starts it, and its webhook arrives within three seconds', async () => {
  expect(answered.action).toMatchObject({
    status: 'InProgress',
    transaction: { type: 'Payment', amounts: { requested: 1742 }, currency: 'GBP' },
  });
  const { event, atMs } = await waitFor('the captured payment', captured);
  expect(atMs - answeredAtMs).toBeLessThan(3000);
  expect(event.data).toMatchObject({
    id: answered.action.transaction.paymentSessionId,
    amount: 1742,
    status: 'Captured',
  });
});

test('first payment: openssl reproduces the signature of every webhook from its bytes', async () => {
  await waitFor('all webhooks', () => receiver.deliveries.length === 4);
  for (const { bytes, headers } of receiver.deliveries) {
    const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: bytes });
    expect(headers['signature']).toBe(/= ([0-9a-f]{64})/.exec(printed.toString())![1]);
  }
});

test('first payment: each event is a readable line', async () => {
  await up.prints(/webhook +PaymentSession\.captured/);
  const [, happened] = up.stdout.split('Events:');
  expect(happened).toContain('SIM-0001');
  expect(happened).toMatch(/^\d\d:\d\d:\d\d /m);
  expect(happened).not.toContain('sk_sandbox_');
});

test('first payment: the second printed command returns the outcome', async () => {
  const [, look] = (await up.prints(/^ {2}(curl (?!.* -d ).*)$/m)) as unknown as [string, string];
  const terminal = JSON.parse((await fixture.program('sh', ['-c', look]).ended).stdout);
  expect(terminal.action).toMatchObject({ id: answered.action.id, status: 'Succeeded' });
});
