import { afterAll, expect, test } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { waitFor, realTime } from '../kit/wait-for.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const TERMINALS = 200;
const EVENTS_OF_A_PAYMENT = 4;

test('fleet: 200 payments on 200 terminals of another process each end once, with one event each', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const receiver = await fixture.receiver();
  const eventTypes = ['Terminal.action_updated', 'PaymentSession.approved', 'PaymentSession.captured'];
  await tapbench.api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });

  const startMs = realTime.nowMs();
  const sim = fixture.command(['sim', '--terminals', String(TERMINALS), '--json'], {
    env: { TAPBENCH_URL: tapbench.url, SECRET_KEY: tapbench.secretKey },
  });
  const [line] = await sim.prints(/^\{.*\}$/m);
  const onlineMs = realTime.nowMs();
  const ids: string[] = JSON.parse(line).terminals.map(({ id }: Json) => id);
  expect(new Set(ids).size).toBe(TERMINALS);

  const started = await Promise.all(
    ids.map((id, index) =>
      tapbench.api('POST', `/v1/in-person/terminals/${id}/payment`, {
        amounts: { requested: 10_000 + index },
        currency: 'GBP',
      }),
    ),
  );
  expect(started.filter(({ status }) => status !== 200)).toEqual([]);
  const startedMs = realTime.nowMs();
  const told = () => new Map(receiver.deliveries.map(({ event }) => [event.id as string, event]));
  await waitFor('all webhooks', () => told().size >= TERMINALS * EVENTS_OF_A_PAYMENT, 60_000);
  const toldMs = realTime.nowMs();

  const events = [...told().values()];
  for (const { body } of started) {
    const { id: actionId, transaction } = body.action;
    const sessionId = transaction.paymentSessionId;
    expect((await tapbench.api('GET', `/v1/in-person/terminals/${body.id}`)).body.action).toMatchObject({
      id: actionId,
      status: 'Succeeded',
    });
    const moved = await tapbench.api('GET', `/v1/payment-sessions/${sessionId}/transactions?ascending=true`);
    expect(moved.body.items.map(({ type, status }: Json) => [type, status])).toEqual([
      ['Authorization', 'Succeeded'],
      ['Capture', 'Succeeded'],
    ]);
    const own = events.filter(({ data }) => data.id === sessionId || data.action?.id === actionId);
    expect(own.map((event) => event.data.action?.status ?? event.eventType).sort()).toEqual([
      'InProgress',
      'PaymentSession.approved',
      'PaymentSession.captured',
      'Succeeded',
    ]);
  }
  expect(events).toHaveLength(TERMINALS * EVENTS_OF_A_PAYMENT);

  // Two figures for whoever reads along; the benchmark measures.
  const repeats = receiver.deliveries.length - events.length;
  console.log(
    `${TERMINALS} terminals online after ${onlineMs - startMs} ms; 200 payments started in ${startedMs - onlineMs} ms, ` +
      `all told ${toldMs - startedMs} ms later (cardholders take 1000); ${repeats} webhooks came again`,
  );
  expect(await sim.kill('SIGINT')).toMatchObject({ code: 0 });
  // The broker has what each terminal said last before the server has written it down.
  await waitFor('every terminal to be offline', async () => {
    const { body } = await tapbench.api('GET', '/sandbox/terminals');
    return body.items.every(({ online }: Json) => !online);
  });
});
