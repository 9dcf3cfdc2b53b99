import type { HuntScene, ShopOrder } from '../../kit/hunt/hunt.ts';
import { openProvider, Refused } from './provider.ts';

/** What a till does with its terminal. Each call is repeated until there is a reply. */
interface Terminal {
  /** Starts the payment of an order and returns its session; once however often it is called with the same key. */
  start(order: Pick<ShopOrder, 'orderId' | 'amount'>, key?: string): Promise<string>;
  /** Cancels what runs at the terminal, if anything does; with a key, once however often it is called. */
  cancel(key?: string): Promise<void>;
  /** Resolves when no payment is in progress at the terminal. */
  isFree(): Promise<void>;
  /** Resolves when the payment of a session is no longer in progress at the terminal. */
  hasEnded(sessionId: string): Promise<void>;
  isCaptured(sessionId: string): Promise<boolean>;
}

const PAUSE_MS = 1_000;

export function openTerminal(scene: HuntScene): Terminal {
  const provider = openProvider(scene);
  const path = `/in-person/terminals/${scene.till.terminal.terminalId}`;
  /** Waits until the terminal has no payment in progress that is one of those. */
  const free = async (isOne: (sessionId: string) => boolean) => {
    for (;;) {
      const { action } = await provider.surely('GET', path);
      if (action?.status !== 'InProgress' || !isOne(action.transaction.paymentSessionId)) return;
      await scene.sleep(PAUSE_MS);
    }
  };
  return {
    async start({ orderId, amount }, key) {
      const payment = {
        amounts: { requested: amount },
        currency: 'GBP',
        paymentSession: { metadata: { orderId } },
      };
      const { action } = await provider.surely('POST', `${path}/payment`, payment, key);
      return action.transaction.paymentSessionId;
    },
    async cancel(key) {
      try {
        await provider.surely('POST', `${path}/cancel-action`, {}, key);
      } catch (thrown) {
        if (!(thrown instanceof Refused)) throw thrown; // nothing is in progress any more
      }
    },
    isFree: () => free(() => true),
    hasEnded: (sessionId) => free((running) => running === sessionId),
    isCaptured: async (sessionId) =>
      (await provider.surely('GET', `/payment-sessions/${sessionId}`)).status === 'Captured',
  };
}
