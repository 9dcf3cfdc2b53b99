import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

const ORDER = { orderId: 'order-1', amount: 1742 };
/** Longer than a payment takes under any fault. */
const PATIENCE_MINUTES = 60;

/** What the browser of the customer shows, and what it tells the shop. */
interface Page {
  session?: { id: string; clientSecret: string };
  isReturned: boolean;
}

/**
 * A shop that asks for the result of a payment when the customer returns to its page: where the browser is closed once it has
 * paid, the order stays open. The right one asks also when nobody has returned.
 */
export function waitsForReturn(isRight: boolean): HuntOptions {
  let page: Page = { isReturned: false };
  let disk: HuntScene['disk'];
  return {
    async scenario(scene) {
      page = { isReturned: false };
      disk = scene.disk;
      const own = page;
      scene.restart((again) => sell(again, own));
      await sell(scene, own);
    },
    processes: { browser: (scene) => pay(scene, page) },
    shop: () => ({ orders: [{ ...ORDER, paid: disk.get('paid') === true }] }),
  };

  async function sell(scene: HuntScene, own: Page): Promise<void> {
    const provider = openProvider(scene);
    const { orderId, amount } = ORDER;
    const body = { ...SESSION, amount, metadata: { orderId } };
    const known = scene.disk.get('session');
    const session = known ?? (await createSession(provider, body));
    if (!known) await scene.disk.set('session', session);
    own.session = session;
    for (let waited = 0; waited < PATIENCE_MINUTES && !own.isReturned; waited += 1) await scene.sleep(60_000);
    // Defect: the customer went away, and may have paid before.
    if (!isRight && !own.isReturned) return;
    const { status } = await provider.read(`/payment-sessions/${session.id}`);
    if (status === 'Captured') await scene.disk.set('paid', true);
  }
}

async function pay(scene: HuntScene, page: Page): Promise<void> {
  // A browser that was closed stays closed.
  scene.restart(() => {});
  while (!page.session) await scene.sleep(1_000);
  await attemptPayment(openProvider(scene), page.session);
  page.isReturned = true;
}
