import { expect, onTestFinished, test } from 'vitest';
import { OffsetClock } from '../../../protocol/clock.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { composeServer } from '../../../world/compose-world.ts';
import { createIdleDetector } from '../../../world/idle-detector.ts';
import { createMeter } from '../../../world/metered-connector.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { createApi, type OpenCalls } from '../../../testing/world/api.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { createReceivers } from '../../../testing/world/receivers.ts';
import { SETTINGS } from '../../../testing/world/world-options.ts';

/** A server whose clock is that of a server in real time. Real time stands still. */
async function startServer() {
  const realClock = new VirtualClock(Date.UTC(2026, 0, 5, 9));
  const receivers = createReceivers();
  const meter = createMeter();
  const store = await openStore({ log: silentLog });
  const server = await composeServer({
    settings: SETTINGS,
    store,
    clock: new OffsetClock(realClock, 0),
    realClock,
    random: seededRandom('advanced clock'),
    log: silentLog,
    outgoing: receivers.outgoing,
    meter,
  });
  const calls: OpenCalls = { open: 0 };
  /** Requests to endpoints that wait for their reply. */
  const held = new Set<object>();
  const { settled } = createIdleDetector({
    quiet: () => server.idle(held.size) && calls.open === server.services.clockAdvances.openCalls,
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
    held,
  };
}

/** Makes the endpoint fail at first, and hold its second reply. */
function holdSecondReply({ receiver, held: waiting }: Awaited<ReturnType<typeof startServer>>) {
  let reply!: (status: number) => void;
  let isHeld!: () => void;
  const status = new Promise<number>((resolve) => (reply = resolve));
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  receiver.behaviour = ({ event }) => {
    const attempts = receiver.deliveries.filter((delivery) => delivery.event.id === event.id).length;
    if (attempts === 2) {
      isHeld();
      waiting.add(status);
    }
    return attempts === 2 ? status : attempts === 1 ? 500 : 200;
  };
  return {
    held,
    reply(replied: number) {
      waiting.delete(status);
      reply(replied);
    },
  };
}

type Shop = Awaited<ReturnType<typeof startServer>> & { fail(): void };

const advance = ({ api }: Shop) => api.post('/sandbox/clock/advance', { seconds: 3600 });

/** Advances the clock, and makes the attempt that is under way fail at one moment of that. */
const MOMENTS = {
  async 'before an advance'(shop: Shop) {
    shop.fail();
    await shop.settled();
    await advance(shop);
  },
  async 'while an advance waits for it'(shop: Shop) {
    const advanced = advance(shop);
    await shop.settled();
    shop.fail();
    await advanced;
  },
  async 'once an advance no longer waits for it'(shop: Shop) {
    const advanced = advance(shop);
    await shop.settled();
    await shop.realClock.advance(1_000);
    await advanced;
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
  const { held, reply } = holdSecondReply(started);
  const recording = await server.services.recordings!.startUnlisted('advance');
  await openCheckout(api).captured();
  await held;
  await MOMENTS[moment]({ ...started, fail: () => reply(500) });
  await settled();
  await realClock.advance(20 * 60_000);
  return recording.stop();
}

const HOUR_MS = 3_600_000;

test.each<[Moment, number]>([
  ['before an advance', 0],
  ['while an advance waits for it', 0],
  ['once an advance no longer waits for it', HOUR_MS + 1_000],
])('replay: an attempt of a webhook that fails %s is identical', async (moment, movedMs) => {
  const trace = await recordAdvance(moment);
  const attempt = trace.items.filter((item) => item.kind === 'answer' && item.request === 'POST')[1]!;
  expect(attempt.atMs - trace.header.clockMs).toBe(movedMs);
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
  expect(result.outcome).toBe('identical');
});
