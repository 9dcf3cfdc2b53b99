import type { HuntScene, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { isUncertain, IN_FLIGHT_MS } from '../../../cli/drills/provider.ts';
import type { Json } from '../../../cli/drills/stage.ts';
import { openProvider } from './provider.ts';

/** An order of a till, as it is stored before anything is sent about it. */
export interface TillOrder extends ShopOrder {
  /** From when on to look for its payment, by the clock of the provider; absent while nothing was sent. */
  since?: number;
  /** Number of the payment, where the till asks for a card again. */
  attempt?: string;
}

/** What a till does with its terminal. */
interface Terminal {
  /**
   * Starts the payment of an order, once however often it is called, and returns its session. Where there is no reply it
   * looks for a session with the order in its metadata.
   */
  start(order: TillOrder): Promise<string>;
  /**
   * Cancels the payment of a session, unless it has ended. It looks before it sends the cancel again.
   * @param options.isInterrupted whether a stopped process may have sent one, which may still arrive
   */
  cancel(sessionId: string, options?: { isInterrupted?: boolean }): Promise<void>;
  /** Resolves when no payment is in progress at the terminal. */
  isFree(): Promise<void>;
  /** Resolves when the payment of a session is no longer in progress at the terminal. */
  hasEnded(sessionId: string): Promise<void>;
  isCaptured(sessionId: string): Promise<boolean>;
  /** Resolves with the action of the payment of a session once it has ended. */
  ended(sessionId: string): Promise<Json>;
}

const PAUSE_MS = 1_000;

export const terminalPath = ({ till }: HuntScene) => `/in-person/terminals/${till.terminal.terminalId}`;

/** The request that starts the payment of an order. */
export const paymentCall = (
  scene: HuntScene,
  { orderId, amount, attempt }: ShopOrder & Pick<TillOrder, 'attempt'>,
) => ({
  method: 'POST' as const,
  path: `${terminalPath(scene)}/payment`,
  body: {
    amounts: { requested: amount },
    currency: 'GBP',
    paymentSession: { metadata: { orderId, ...(attempt !== undefined && { attempt }) } },
  },
});

export function openTerminal(scene: HuntScene): Terminal {
  const provider = openProvider(scene);
  const path = terminalPath(scene);
  const running = async (): Promise<string | undefined> => {
    const { action } = await provider.read(path);
    return action?.status === 'InProgress' ? action.transaction.paymentSessionId : undefined;
  };

  async function findSession({ orderId, since, attempt }: TillOrder): Promise<Json | undefined> {
    for (let next = ''; ;) {
      const page = await provider.read(`/payment-sessions?startTimestamp=${since}&limit=50${next}`);
      const found = page.items.find(
        ({ metadata }: Json) => metadata?.orderId === orderId && metadata.attempt === attempt,
      );
      if (found || !page.paginationToken) return found;
      next = `&startsAfter=${encodeURIComponent(page.paginationToken)}`;
    }
  }

  /** Returns whether there is a reply to a cancel. */
  async function sendCancel(): Promise<boolean> {
    try {
      await provider.once({ method: 'POST', path: `${path}/cancel-action`, body: {} });
      return true;
    } catch (thrown) {
      return !isUncertain(thrown); // refused: nothing is in progress any more
    }
  }

  return {
    async start(order) {
      const isInterrupted = order.since !== undefined;
      if (!isInterrupted) {
        const { action, createdTimestamp } = await provider.read(path);
        order.since = action?.createdTimestamp ?? createdTimestamp;
      }
      const call = paymentCall(scene, order);
      const done = await provider.untilDone(call, () => findSession(order), { isInterrupted });
      return done.action?.transaction.paymentSessionId ?? done.id;
    },
    async cancel(sessionId, { isInterrupted = false } = {}) {
      while ((await running()) === sessionId && !(await sendCancel())) await scene.sleep(PAUSE_MS);
      if (isInterrupted) await scene.sleep(IN_FLIGHT_MS);
    },
    async isFree() {
      while ((await running()) !== undefined) await scene.sleep(PAUSE_MS);
    },
    async hasEnded(sessionId) {
      while ((await running()) === sessionId) await scene.sleep(PAUSE_MS);
    },
    async ended(sessionId) {
      for (;;) {
        const { action } = await provider.read(path);
        const isOfSession = action?.transaction.paymentSessionId === sessionId;
        if (isOfSession && action.status !== 'InProgress') return action;
        await scene.sleep(PAUSE_MS);
      }
    },
    isCaptured: async (sessionId) =>
      (await provider.read(`/payment-sessions/${sessionId}`)).status === 'Captured',
  };
}
