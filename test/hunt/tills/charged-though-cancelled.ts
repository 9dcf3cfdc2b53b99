import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { openProvider } from './provider.ts';
import { openTerminal, terminalPath, type TillOrder } from './terminal.ts';

/** How long the cashier waits for a card. */
const PATIENCE_S = 8;

/**
 * A till that says that a payment is cancelled as soon as it has sent the cancel: a card that is approved meanwhile is
 * charged (stripe/stripe-terminal-android#702). The right one sends the cancel until it is answered or the payment has
 * ended, and then asks what became of it.
 */
export function chargedThoughCancelled(isRight: boolean): HuntOptions {
  let orders: TillOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 12_000 } });
    },
    async scenario(scene) {
      orders = [{ orderId: 'order-1', paid: false, cancelled: false, amount: 1742 }];
      const sell = (again: HuntScene) => sellAndCancel(again, orders[0]!, isRight);
      scene.restart(sell);
      await sell(scene);
    },
    shop: () => ({ orders }),
  };
}

async function sellAndCancel(scene: HuntScene, order: TillOrder, isRight: boolean): Promise<void> {
  const terminal = openTerminal(scene);
  const sessionId = await terminal.start(order);
  for (let waited = 0; waited < PATIENCE_S && !order.paid; waited += 2) {
    order.paid = await terminal.isCaptured(sessionId);
    await scene.sleep(2_000);
  }
  if (order.paid) return;
  order.cancelled = true;
  // Defect: whatever becomes of the cancel, the payment counts as cancelled.
  if (!isRight) return cancelOnce(scene);
  await terminal.cancel(sessionId);
  await terminal.hasEnded(sessionId);
  order.paid = await terminal.isCaptured(sessionId);
}

async function cancelOnce(scene: HuntScene): Promise<void> {
  await openProvider(scene)
    .once({ method: 'POST', path: `${terminalPath(scene)}/cancel-action`, body: {}, timeoutMs: 10_000 })
    .catch(() => {});
}
