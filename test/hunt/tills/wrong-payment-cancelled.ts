import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { isUncertain } from '../../../cli/drills/provider.ts';
import { openProvider } from './provider.ts';
import { openTerminal, terminalPath, type TillOrder } from './terminal.ts';

/** When the first customer changes their mind; the card would be presented later. */
const CHANGE_OF_MIND_MS = 8_000;

/**
 * Two tills with one terminal. The first sends its cancel until it is answered, whatever runs at the terminal by then:
 * that may be the payment of the other till (odoo/odoo#288874). In the right shop the first till sends a cancel only while its
 * own payment is in progress, and the terminal stays with it until that has ended and no cancel can be on its way.
 */
export function wrongPaymentCancelled(isRight: boolean): HuntOptions {
  let orders: TillOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 12_000 } });
    },
    async scenario(scene) {
      orders = ['order-1', 'order-2'].map((orderId) => ({
        orderId,
        paid: false,
        cancelled: false,
        amount: 1742,
      }));
      const sell = (again: HuntScene) => sellBoth(again, orders, isRight);
      scene.restart(sell);
      await sell(scene);
    },
    shop: () => ({ orders }),
  };
}

async function sellBoth(scene: HuntScene, orders: TillOrder[], isRight: boolean): Promise<void> {
  const terminal = openTerminal(scene);
  const [first, second] = orders as [TillOrder, TillOrder];
  const firstId = await terminal.start(first);
  const ending = cancelFirst();
  // Defect: the terminal is free, and the cancel may still be on its way.
  await (isRight ? ending : terminal.isFree());
  const secondId = await terminal.start(second);
  await Promise.all([ending, settle(second, secondId)]);

  async function cancelFirst(): Promise<void> {
    const isInterrupted = first.cancelled === true;
    await scene.sleep(CHANGE_OF_MIND_MS);
    first.cancelled = true;
    if (isRight) await terminal.cancel(firstId, { isInterrupted });
    else await cancelUntilAnswered(scene);
    await settle(first, firstId);
  }

  async function settle(order: TillOrder, sessionId: string): Promise<void> {
    await terminal.hasEnded(sessionId);
    order.paid = await terminal.isCaptured(sessionId);
  }
}

/** Defect: each cancel that arrives cancels something. */
async function cancelUntilAnswered(scene: HuntScene): Promise<void> {
  const call = {
    method: 'POST',
    path: `${terminalPath(scene)}/cancel-action`,
    body: {},
    timeoutMs: 10_000,
  } as const;
  for (;;) {
    try {
      return await openProvider(scene).once(call);
    } catch (thrown) {
      if (!isUncertain(thrown)) return; // nothing is in progress any more
      await scene.sleep(1_000);
    }
  }
}
