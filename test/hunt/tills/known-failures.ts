import type { HuntOptions, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { openProvider } from './provider.ts';
import { openTerminal } from './terminal.ts';

/** What this till has seen a payment fail with, besides what a bank says. */
const FAILURES = [
  'timeout',
  'terminal_offline',
  'unexpected_error',
  'card_declined',
  'bad_track_data',
  'receipt_failed',
];

/**
 * A till that takes a payment for paid unless it has failed with a code that it knows: a customer who presses Cancel at the
 * terminal ends it with another one. The right one asks whether the payment was captured.
 */
export function knownFailures(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
    },
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const terminal = openTerminal(scene);
      const sessionId = await terminal.start(order);
      const { error } = await terminal.ended(sessionId);
      const { status, lastError } = await openProvider(scene).read(`/payment-sessions/${sessionId}`);
      // Defect: what it has not seen yet is no failure.
      const isFailed = lastError !== undefined || FAILURES.includes(error?.code);
      order.paid = isRight ? status === 'Captured' : !isFailed;
    },
    shop: () => ({ orders }),
  };
}
