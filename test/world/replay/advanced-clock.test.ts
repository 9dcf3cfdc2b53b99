import { expect, onTestFinished, test } from 'vitest';
import { OffsetClock } from '../../../protocol/clock.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Store } from '../../../server/platform/store/store.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { composeServer } from '../../../world/compose-world.ts';
import { createIdleDetector } from '../../../world/idle-detector.ts';
import { createMeter } from '../../../world/metered-connector.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { turn } from '../../../world/turn.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { createApi, type OpenCalls } from '../../kit/api.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { createReceivers, type Receiver } from '../../kit/receivers.ts';
import { SETTINGS } from '../../kit/world-options.ts';

/** A server whose clock is that of a server in real time: the offset takes effect at once. Real time stands still. */
async function startServer() {
  const realClock = new VirtualClock(Date.UTC(2026, 0, 5, 9));
  const receivers = createReceivers();
  const meter = createMeter();
  const held = holdTransactions(await openStore({ log: silentLog }));
  const server = await composeServer({
    settings: SETTINGS,
    store: held.store,
    clock: new OffsetClock(realClock, 0),
    realClock,
    random: seededRandom('advanced clock'),
    log: silentLog,
    outgoing: receivers.outgoing,
    meter,
  });
  const calls: OpenCalls = { open: 0 };
  const { settled } = createIdleDetector({
    quiet: () => server.idle() && calls.open === 0,
    activity: () => meter.activity,
  });
  realClock.settleWith(settled);
  await server.start();
  onTestFinished(() => realClock.advanceUntil(server.stop()));
  const api = createApi(() => server, SETTINGS.secretKey, calls);
  return {
    server,
    api,
    receiver: receivers.open('shop'),
    realClock,
    settled,
    holdNext: held.holdNext,
    /** Resolves once an endpoint has answered. */
    answered: () =>
      new Promise<void>((resolve) => {
        server.services.traffic.watch('test', {
          requestArrived: () => undefined,
          actPerformed() {},
          outgoingAnswered: () => resolve(),
        });
      }),
  };
}

/** Returns the store, and a function that holds its next transaction until the function that it returns is called. */
function holdTransactions(store: Store) {
  let held: Promise<void> | undefined;
  const transaction: Store['transaction'] = async (body) => {
    const waits = held;
    held = undefined;
    await waits;
    return store.transaction(body);
  };
  return {
    store: { ...store, transaction },
    holdNext(): () => void {
      let release!: () => void;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

/** Makes the endpoint fail at first, and hold its second reply. */
function holdSecondReply(receiver: Receiver): { held: Promise<void>; reply: (status: number) => void } {
  let reply!: (status: number) => void;
  let isHeld!: () => void;
  const status = new Promise<number>((resolve) => (reply = resolve));
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  receiver.behaviour = ({ event }) => {
    const attempts = receiver.deliveries.filter((delivery) => delivery.event.id === event.id).length;
    if (attempts === 2) isHeld();
    return attempts === 2 ? status : attempts === 1 ? 500 : 200;
  };
  return { held, reply };
}

type Shop = Awaited<ReturnType<typeof startServer>> & { fail(): void };

const advance = ({ api }: Shop) => api.post('/sandbox/clock/advance', { seconds: 3600 });

/** Advances the clock, and makes the attempt that is under way fail at one moment of that. */
const MOMENTS = {
  async 'before an advance, and is saved after it'(shop: Shop) {
    const answered = shop.answered();
    const release = shop.holdNext();
    shop.fail();
    await answered;
    await turn();
    await advance(shop);
    release();
  },
  async 'while an advance is under way, before the clock moves'(shop: Shop) {
    shop.server.services.traffic.watch('test', {
      requestArrived() {
        shop.fail();
        return undefined;
      },
      actPerformed() {},
      outgoingAnswered() {},
    });
    await advance(shop);
  },
  async 'while an advance is under way, once the clock has moved'(shop: Shop) {
    shop.server.services.notices.listen('test', ({ kind }) => {
      if (kind === 'clock.advanced') shop.fail();
    });
    await advance(shop);
  },
  async 'after an advance'(shop: Shop) {
    await advance(shop);
    shop.fail();
  },
};

type Moment = keyof typeof MOMENTS;

/** Records a webhook whose second attempt fails at a moment of an advance. */
async function recordAdvance(moment: Moment): Promise<Trace> {
  const started = await startServer();
  const { server, api, receiver, realClock, settled } = started;
  const eventTypes = ['PaymentSession.captured'];
  await api.post('/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  await settled();
  const { held, reply } = holdSecondReply(receiver);
  const recorder = await server.services.recordings!.startRecorder('advance');
  await openCheckout(api).captured();
  await held;
  await MOMENTS[moment]({ ...started, fail: () => reply(500) });
  await settled();
  await realClock.advance(20 * 60_000);
  return recorder.stop();
}

const HOUR_MS = 3_600_000;

test.each<[Moment, number]>([
  ['before an advance, and is saved after it', 0],
  ['while an advance is under way, before the clock moves', 0],
  ['while an advance is under way, once the clock has moved', HOUR_MS],
  ['after an advance', HOUR_MS],
])('replay: an attempt of a webhook that fails %s is identical', async (moment, movedMs) => {
  const trace = await recordAdvance(moment);
  const attempt = trace.items.filter((item) => item.kind === 'answer' && item.request === 'POST')[1]!;
  expect(attempt.atMs - trace.header.clockMs).toBe(movedMs);
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
  expect(result.outcome).toBe('identical');
});
