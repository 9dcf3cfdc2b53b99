import type { Provider } from '../../../cli/drills/provider.ts';
import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

const ORDER = { orderId: 'order-1', amount: 1742 };
const REFUNDED = 500;
const PAUSE_MS = 5_000;
const TRIES_MAX = 3;

interface Refund {
  call: Parameters<Provider['untilDone']>[0];
  /** Resolves with the refund, unless it has failed; undefined where there is none. */
  find(): Promise<Json | undefined>;
}

/**
 * A shop that looks for a refund before it sends it again. When it is started again and the refund was not sent, it sends it
 * by other code, which does not look where there is no reply. The right one sends it by the same code.
 */
export function refundedAtStart(isRight: boolean): HuntOptions {
  let disk: HuntScene['disk'];
  return {
    scenario(scene) {
      disk = scene.disk;
      scene.restart((again) => keepShop(again, isRight));
      return keepShop(scene, isRight);
    },
    shop() {
      const paid = disk.get('paid') === true;
      return { orders: [{ ...ORDER, paid, refunded: disk.get('refunded') ?? 0 }] };
    },
  };
}

async function keepShop(scene: HuntScene, isRight: boolean): Promise<void> {
  const { disk } = scene;
  const provider = openProvider(scene);
  if (disk.get('refunded') !== undefined) return;
  const metadata = { orderId: ORDER.orderId };
  const session =
    disk.get('session') ?? (await createSession(provider, { ...SESSION, amount: ORDER.amount, metadata }));
  await disk.set('session', session);
  const { status } = await attemptPayment(provider, session);
  await disk.set('paid', status === 'Captured');
  if (status !== 'Captured') return;
  await refund(scene, provider, { id: session.id, isRight });
  await disk.set('refunded', REFUNDED);
}

async function refund(
  { sleep, disk }: HuntScene,
  provider: Provider,
  { id, isRight }: { id: string; isRight: boolean },
): Promise<void> {
  const isLeft = disk.get('refunding') === true;
  const path = `/payment-sessions/${id}`;
  const wanted: Refund = {
    call: { method: 'POST', path: `${path}/refunds`, body: { amount: REFUNDED } },
    async find() {
      const { items } = await provider.read(`${path}/transactions`);
      return items.find(({ type, status }: Json) => type === 'Refund' && status !== 'Failed');
    },
  };
  // Defect: code of its own, for what was left.
  if (isLeft && !isRight && !(await wanted.find())) await sendLeft(provider, wanted, sleep);
  await disk.set('refunding', true);
  let isInterrupted = isLeft;
  for (let found = await wanted.find(); found?.status !== 'Succeeded'; found = await wanted.find()) {
    if (!found) await provider.untilDone(wanted.call, wanted.find, { isInterrupted });
    isInterrupted = false;
    await sleep(PAUSE_MS);
  }
}

async function sendLeft({ once }: Provider, { call }: Refund, sleep: HuntScene['sleep']): Promise<void> {
  for (let tries = 0, isSent = false; !isSent && tries < TRIES_MAX; tries += 1)
    isSent = await once(call).then(
      () => true,
      () => sleep(PAUSE_MS).then(() => false),
    );
}
