import { expect, test } from 'vitest';
import { hunt, type HuntOptions, type HuntScene } from '../../testing/hunt/hunt.ts';
import { countFrom } from '../kit/count-from.ts';
import { PROOF_TIMEOUT_MS, SEED } from './proof-size.ts';
import { attemptPayment, createSession, SESSION } from './tills/online-payment.ts';
import { openProvider } from './tills/provider.ts';
import { openTerminal, type TillOrder } from './tills/terminal.ts';

const REFUNDED = 500;
const POLL_MS = 60_000;
const POLLS_MAX = 60;
/** How long it hunts: some plans by default. */
const SECONDS = countFrom('HUNT_SECONDS', 0);
const PLANS = SECONDS > 0 ? Number.MAX_SAFE_INTEGER : 20;

/**
 * A shop that sells at a terminal and online, refunds a part, and books on a disk by a worker beside it. Its handler of events
 * waits, throws and hangs, one event after the other. It is wrong in some ways: it does not look before it sends again.
 */
function shopOfEverything(): HuntOptions {
  let orders: TillOrder[] = [];
  let disk: HuntScene['disk'];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
      await world.listen('shop', ['PaymentSession.captured', 'PaymentSession.refunded']);
    },
    async scenario(scene) {
      orders = [{ orderId: 'order-1', paid: false, amount: 1742 }];
      disk = scene.disk;
      handleInTurn(scene);
      scene.restart((again) => sell(again, orders[0]!));
      await sell(scene, orders[0]!);
    },
    processes: {
      worker(scene) {
        scene.restart(book);
        return book(scene);
      },
    },
    shop() {
      const online = { orderId: 'order-2', amount: 999, paid: disk.get('booked') === true };
      return { orders: [...orders, online] };
    },
    // Of each three events it acknowledges one.
    withoutVerdicts: ['everyEventAcknowledged'],
  };
}

function handleInTurn({ world, sleep }: HuntScene): void {
  let handled = 0;
  world.receiver('shop').behaviour = async () => {
    handled += 1;
    if (handled % 3 === 1) await sleep(250);
    if (handled % 3 === 2) throw new Error('no database');
    return handled % 3 === 0 ? new Promise(() => {}) : 200;
  };
}

async function sell(scene: HuntScene, order: TillOrder): Promise<void> {
  const terminal = openTerminal(scene);
  const provider = openProvider(scene);
  const sessionId = await terminal.start(order);
  await terminal.ended(sessionId);
  order.paid = await terminal.isCaptured(sessionId);
  if (order.paid && order.refunded === undefined) {
    const path = `/payment-sessions/${sessionId}/refunds`;
    await provider.untilDone({ method: 'POST', path, body: { amount: REFUNDED } }, async () => undefined);
    order.refunded = REFUNDED;
  }
  const session = await createSession(provider, {
    ...SESSION,
    amount: 999,
    metadata: { orderId: 'order-2' },
  });
  await scene.disk.append('open', session.id);
  await attemptPayment(provider, session);
}

async function book(scene: HuntScene): Promise<void> {
  const { read } = openProvider(scene);
  for (let polls = 0; polls < POLLS_MAX && scene.disk.get('booked') !== true; polls += 1) {
    await scene.sleep(POLL_MS);
    for (const id of scene.disk.get('open') ?? [])
      if ((await read(`/payment-sessions/${id}`)).status === 'Captured') await scene.disk.set('booked', true);
  }
}

test(
  'hunt: accounts for every plan over everything at once, with handlers that wait, throw and hang',
  { timeout: PROOF_TIMEOUT_MS },
  async ({ annotate }) => {
    let tried = 0;
    const startedMs = performance.now();
    const { found, others, ...counts } = await hunt({
      ...shopOfEverything(),
      all: true,
      seed: SEED,
      plans: PLANS,
      ...(SECONDS > 0 ? { seconds: SECONDS } : { seconds: 86_400 }),
      onTry: (plans) => (tried = plans),
    });
    const tookMs = Math.round(performance.now() - startedMs);
    const { tried: places, thrown, ...numbers } = counts;
    await annotate(
      JSON.stringify({
        tookMs,
        onTry: tried,
        ...numbers,
        found: found?.verdict,
        others: others?.map(({ verdict }) => verdict),
        thrown,
      }),
    );
    await annotate(JSON.stringify(places));
    expect(counts.endedBy).toBe(SECONDS > 0 ? 'seconds' : 'plans');
    // The plan that is under way when the time is up is left.
    if (SECONDS > 0) expect([tried, tried + 1]).toContain(counts.plans);
    else expect(counts.plans).toBe(tried + 1);
    expect(counts.notJudged).toEqual([]);
    expect(thrown.map(({ error }) => error)).toContain('no database');
    expect(found).toBeDefined();
  },
);
