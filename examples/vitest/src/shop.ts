import type { Payments } from './payments.ts';

export type SaleState = 'paying' | 'paid' | 'notPaid' | 'refunded';

export interface Sale {
  amountMinor: number;
  sessionId: string;
  state: SaleState;
  /** Error code of an unpaid sale. */
  reason?: string;
}

/** The fields of a webhook event that the shop reads. */
export interface ProviderEvent {
  id: string;
  eventType: string;
  data: {
    id: string;
    action?: {
      status: string;
      error?: { code: string } | null;
      transaction: { type: string; paymentSessionId: string };
    } | null;
  };
}

export interface Shop {
  sell(amountMinor: number): Promise<Sale>;
  refund(sale: Sale): Promise<void>;
  /** Handles a webhook event. Events may arrive twice, and late. */
  handleEvent(event: ProviderEvent): void;
  takingsMinor(): number;
}

/** Creates a shop with one terminal. The provider's webhooks decide whether a sale is paid. */
export function openShop({ payments, terminalId }: { payments: Payments; terminalId: string }): Shop {
  const sales = new Map<string, Sale>();
  const handled = new Set<string>();
  return {
    async sell(amountMinor) {
      const { sessionId } = await payments.take(terminalId, amountMinor);
      const sale: Sale = { amountMinor, sessionId, state: 'paying' };
      sales.set(sessionId, sale);
      return sale;
    },
    async refund({ sessionId }) {
      await payments.refund(terminalId, sessionId);
    },
    handleEvent({ id, eventType, data }) {
      if (handled.has(id)) return;
      handled.add(id);
      const action = data.action;
      const sale = sales.get(
        eventType.startsWith('Terminal.') ? (action?.transaction.paymentSessionId ?? '') : data.id,
      );
      if (!sale) return;
      if (eventType === 'PaymentSession.captured') sale.state = 'paid';
      if (eventType === 'PaymentSession.refunded') sale.state = 'refunded';
      if (action?.transaction.type === 'Payment' && ['Failed', 'Cancelled'].includes(action.status)) {
        sale.state = 'notPaid';
        sale.reason = action.error?.code ?? 'cancelled';
      }
    },
    takingsMinor: () =>
      [...sales.values()].reduce(
        (sum, { state, amountMinor }) => sum + (state === 'paid' ? amountMinor : 0),
        0,
      ),
  };
}
