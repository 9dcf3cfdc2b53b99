import { afterEach, expect, test } from 'vitest';
import { delay, type Clock } from '../../../protocol/clock.ts';
import type { Connector } from '../../../protocol/link.ts';
import { ActionCompleted } from '../../../protocol/messages/action.messages.ts';
import { parseTopic } from '../../../protocol/topics.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import type { TraceItem } from '../../../server/traces/trace-item.schema.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import type { Behaviour } from '../../../testing/world/receivers.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
afterEach(() => world.close());

const EVENT_TYPES = ['Terminal.action_updated', 'PaymentSession.approved', 'PaymentSession.captured'];

/** Returns a connector whose links say 20 ms late that a terminal has printed its receipts. */
function slowToPrint(connect: Connector, { clock }: { clock: Clock }): Connector {
  return (plan) => {
    const link = connect(plan);
    return {
      open: () => link.open(),
      close: () => link.close(),
      drop: () => link.drop(),
      get online() {
        return link.online;
      },
      async publish(envelope) {
        if (parseTopic(envelope.topic)?.message === ActionCompleted.name) await delay(clock, 20);
        await link.publish(envelope);
      },
    };
  };
}

/**
 * Records payments at a terminal that takes time to print, as it does in real time. A replay has no such pauses, so it is
 * ahead.
 */
async function recordPayments(behaviour: Behaviour): Promise<Trace> {
  world = await startWorld({
    terminalConnector: slowToPrint,
    cardholder: { script: 'tap', delayMs: 500 },
  });
  const till = openTill(world, await world.addTerminal());
  const receiver = await world.listen('shop', EVENT_TYPES);
  receiver.behaviour = behaviour;
  await world.advance({ seconds: 5 });
  const recording = await world.server.services.recordings!.startUnlisted('payments');
  for (const amountMinor of [500, 601]) {
    await till.pay(amountMinor);
    await world.advance({ seconds: 5 });
  }
  await world.advance({ minutes: 2 });
  const trace = await recording.stop();
  delete trace.header.virtualTime;
  return trace;
}

/** Returns a behaviour that replies with these statuses in turns. */
function inTurns(...statuses: number[]): Behaviour {
  let count = 0;
  return () => statuses[count++ % statuses.length]!;
}

const webhookTitles = ({ items }: Trace) =>
  items.flatMap((item) =>
    item.kind === 'output' && item.entry.kind === 'webhook' ? [item.entry.title.split(' →')[0]] : [],
  );

test('replay: a webhook that is tried again at once, before the next event of its terminal, is identical', async () => {
  const trace = await recordPayments(inTurns(200, 500));
  expect(webhookTitles(trace).slice(0, 4)).toEqual([
    'Terminal.action_updated: 200',
    'PaymentSession.approved: 500',
    'PaymentSession.approved: 200, attempt 2',
    'Terminal.action_updated: 500',
  ]);
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
  expect(result.outcome).toBe('identical');
});

test('replay: an endpoint that got the events of an object in another order differs', async () => {
  const trace = await recordPayments(200);
  expect(await replayTrace(trace)).toMatchObject({ outcome: 'identical' });

  exchangeDeliveries(trace.items, ['PaymentSession.approved', 'PaymentSession.captured']);
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toMatchObject({
    what: expect.stringContaining('the webhook PaymentSession.captured'),
    replayed: undefined,
  });
});

/** Exchanges the first deliveries of two types of events, with the moments at which they are made. */
function exchangeDeliveries(items: TraceItem[], [first, second]: [string, string]): void {
  const isAnswer = (item: TraceItem, type: string) =>
    item.kind === 'answer' && (item.sent as { eventType: string }).eventType === type;
  const isWebhook = (item: TraceItem, type: string) =>
    item.kind === 'output' && item.entry.kind === 'webhook' && item.entry.title.startsWith(type);
  for (const isDelivery of [isAnswer, isWebhook]) {
    const at = items.findIndex((item) => isDelivery(item, first));
    const other = items.findIndex((item) => isDelivery(item, second));
    const [one, two] = [items[at]!, items[other]!];
    items[at] = { ...two, seq: one.seq, atMs: one.atMs };
    items[other] = { ...one, seq: two.seq, atMs: two.atMs };
  }
}
