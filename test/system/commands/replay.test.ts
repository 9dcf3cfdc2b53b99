import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { delay } from '../../../protocol/clock.ts';
import { readTrace, traceFile } from '../../../server/traces/trace-file.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2040', cvc: '123' };

/** Takes a payment at the terminal, whose cardholder taps, and polls it until it has ended, as a shop does. */
async function payAtTerminal({ api, terminals }: Tapbench, requested: number): Promise<string> {
  const path = `/v1/in-person/terminals/${terminals[0]!.id}`;
  const { body } = await api('POST', `${path}/payment`, { amounts: { requested }, currency: 'GBP' });
  await waitFor('the action ends', async () => {
    const { action } = (await api('GET', path)).body;
    return action.status !== 'InProgress' && action;
  });
  return body.action.transaction.paymentSessionId;
}

async function payOnline({ api }: Tapbench): Promise<string> {
  const created = { amount: 1250, currency: 'GBP', customerEmail: 'sam@example.com' };
  const session = (await api('POST', '/v1/payment-sessions', created)).body;
  const attempt = { clientSecret: session.clientSecret, cardDetails: CARD };
  expect((await api('POST', '/v1/payment-sessions/attempt-payment', attempt)).status).toBe(200);
  return session.id;
}

test('replay: a recording of a server in real time is identical on virtual time', async () => {
  const tapbench = await fixture.tapbench();
  const { api, url, secretKey } = tapbench;
  const receiver = await fixture.receiver();
  await payAtTerminal(tapbench, 500);
  receiver.reply = () => delay(realTime, 300).then(() => 200);

  const { body: recording } = await api('POST', '/sandbox/recordings', { title: 'a morning' });
  const eventTypes = ['PaymentSession.captured', 'PaymentSession.refunded', 'Terminal.action_updated'];
  await api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  const inPerson = await payAtTerminal(tapbench, 1742);
  await payAtTerminal(tapbench, 1901);
  const online = await payOnline(tapbench);
  await api('POST', `/v1/payment-sessions/${online}/refunds`, { amount: 250 });
  await api('GET', '/v1/events?limit=50');
  // A delivery is under way meanwhile, of the refund at the latest.
  await api('POST', '/sandbox/clock/advance', { seconds: 86_400 });
  await api('POST', `/v1/payment-sessions/${inPerson}/refunds`, {});
  await payAtTerminal(tapbench, 300);
  await waitFor('the webhooks arrive', () => receiver.deliveries.length >= 9);
  await api('GET', '/v1/events?limit=50');

  const file = join(fixture.folder(), 'morning.tapbench');
  const env = { TAPBENCH_URL: url, SECRET_KEY: secretKey };
  expect((await fixture.run(['recordings', 'save', recording.id, file], { env })).code).toBe(0);
  const { code, stdout, stderr } = await fixture.run(['replay', file]);
  expect([stdout, stderr, code]).toEqual([expect.stringMatching(/^identical: \d+ replies/), '', 0]);
});

/** Processor time that a process has used, in hundredths of a second. */
function processorTime(pid: number): number {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields!.split(' ').slice(11, 13);
  return Number(user) + Number(system);
}

const YEAR_MS = 365 * 86_400_000;

test('replay: the first Ctrl-C ends one of a recording of ninety years', async () => {
  const tapbench = await fixture.tapbench();
  const { api, url, secretKey } = tapbench;
  const { body: recording } = await api('POST', '/sandbox/recordings', { title: 'ninety years' });
  await payOnline(tapbench);
  const file = join(fixture.folder(), 'ninety-years.tapbench');
  const env = { TAPBENCH_URL: url, SECRET_KEY: secretKey };
  expect((await fixture.run(['recordings', 'save', recording.id, file], { env })).code).toBe(0);
  const trace = await readTrace(readFileSync(file));
  trace.summary.endMs += 90 * YEAR_MS;
  writeFileSync(file, await traceFile(trace));

  const replay = fixture.command(['replay', file]);
  // More than the start of the command takes: it is in the middle of the years.
  await waitFor('the replay is under way', () => processorTime(replay.pid) > 250, 60_000);
  const { code, signal, stdout } = await replay.kill('SIGINT');
  expect([stdout, signal, code]).toEqual(['', null, 130]);
});
