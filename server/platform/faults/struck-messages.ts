import { Presence } from '../../../protocol/messages/presence.messages.ts';
import type { FaultAt } from './cut-points.ts';
import type { FaultPlans } from './fault-plans.ts';

type MessagePoint = 'message.command' | 'message.report';

/** A message between the server and a terminal. */
interface PassedMessage {
  at: MessagePoint;
  terminalId: string;
  name: string;
  /** The action that it names. */
  actionId?: string | null;
}

interface PasserParts {
  /** None by default. */
  faults?: (() => FaultPlans | undefined) | undefined;
  /** Takes a terminal off the network for a while, as far as somebody simulates it. */
  cutNetwork?: ((terminalId: string, delayMs: number) => void) | undefined;
  /** Takes the broker away for a while. */
  takeBrokerAway(delayMs: number): void;
}

/**
 * Creates a function that passes a message on, unless a fault strikes it: then it may pass later, twice, after the next
 * message of its terminal in the same direction, or never.
 */
export function createMessagePasser({ faults = () => undefined, cutNetwork, takeBrokerAway }: PasserParts) {
  const held = createHeldMessages();
  // Terminals whose network is down.
  const down = new Set<string>();

  function takeDown(terminalId: string, delayMs: number): void {
    down.add(terminalId);
    faults()!.later(delayMs, () => down.delete(terminalId));
    cutNetwork?.(terminalId, delayMs);
  }

  return ({ at, terminalId, name, actionId }: PassedMessage, pass: () => void): void => {
    // The presence of a terminal whose network is down comes from the broker.
    if (down.has(terminalId) && name !== Presence.name) return;
    const plans = faults();
    const key = `${at} ${terminalId}`;
    if (!plans?.awaits(at)) {
      pass();
      return held.release(key);
    }
    const ids = [terminalId, ...(actionId ? [actionId] : [])];
    const strike = plans.strike({ at, message: name, ids });
    switch (strike?.what as FaultAt<MessagePoint> | undefined) {
      case 'lost':
        return;
      case 'network-down':
        return takeDown(terminalId, strike!.delayMs);
      case 'broker-away':
        return takeBrokerAway(strike!.delayMs);
      case 'delay':
        return plans.later(strike!.delayMs, pass);
      case 'out-of-order':
        return plans.later(strike!.delayMs, held.hold(key, pass));
      case 'twice':
        pass();
        break;
      case undefined:
    }
    pass();
    held.release(key);
  };
}

/** Messages that wait for the next one of the same terminal in the same direction, which a key names. */
function createHeldMessages() {
  const waiting = new Map<string, Set<() => void>>();
  return {
    /** Holds a message back. Returns what passes it, unless it has passed by then. */
    hold(key: string, pass: () => void): () => void {
      const held = waiting.get(key) ?? new Set();
      const passOnce = () => {
        if (!held.delete(passOnce)) return;
        if (held.size === 0 && waiting.get(key) === held) waiting.delete(key);
        pass();
      };
      waiting.set(key, held.add(passOnce));
      return passOnce;
    },
    release(key: string): void {
      for (const pass of waiting.get(key) ?? []) pass();
    },
  };
}
