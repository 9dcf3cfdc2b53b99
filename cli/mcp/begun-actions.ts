import { createCallOnce, type CallOnce } from './call-once.ts';

/** An action, and the terminal that it is on. */
export interface StartedAction {
  terminalId: string;
  actionId: string;
}

/** A refund that was asked for. */
export interface KnownRefund {
  paymentSessionId: string;
  amount: number | undefined;
  /** The action of the refund; undefined before it has begun. */
  begun: StartedAction | undefined;
  /** How often it was refused: the server repeats a refusal for its key, so that the next try needs another. */
  refusals: number;
}

/** What the tools remember of what they have begun, while the command runs. */
export interface BegunActions {
  /** Refunds by their sandbox and refundId. */
  readonly refunds: Map<string, KnownRefund>;
  /** Sends a request of an agent once for its key. */
  callOnce: CallOnce;
  /** Runs work once all earlier work with the same name is over, so that two calls at once don't begin the same twice. */
  inTurn<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createBegunActions(): BegunActions {
  const last = new Map<string, Promise<unknown>>();
  return {
    refunds: new Map(),
    callOnce: createCallOnce(),
    async inTurn(name, work) {
      const before = last.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      last.set(name, mine);
      try {
        return await mine;
      } finally {
        if (last.get(name) === mine) last.delete(name);
      }
    },
  };
}
