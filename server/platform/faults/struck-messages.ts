import { Presence } from '../../../protocol/messages/presence.messages.ts';
import type { FaultAt } from './cut-points.ts';
import type { FaultPlans } from './fault-plans.ts';
import { isStrange, type StrangeFault } from './strange-commands.ts';

type MessagePoint = 'message.command' | 'message.report';

/** A message between the server and a terminal. */
interface PassedMessage {
  at: MessagePoint;
  terminalId: string;
  name: string;
  /** The action that it names. */
  actionId?: string | null;
  /** Passes it with something strange in it or before it. Commands have it. */
  passStrangely?: (what: StrangeFault) => void;
}

interface PasserParts {
  /** None by default. */
  faults?: FaultPlans | undefined;
  /** Takes a terminal off the network, as far as it is simulated. */
  cutNetwork?: ((terminalId: string) => void) | undefined;
  /** Takes the broker away for a while. */
  takeBrokerAway(delayMs: number): void;
}

/**
 * Creates a function that passes a message on, unless a fault strikes it: then it may pass later, twice, after the next
 * message of its terminal in the same direction, or never.
 */
export function createMessagePasser({ faults: plans, cutNetwork, takeBrokerAway }: PasserParts) {
  const held = createHeldMessages();

  function takeDown(terminalId: string, delayMs: number): void {
    plans!.giveBackLater(terminalId, 'messages', delayMs);
    cutNetwork?.(terminalId);
  }

  return ({ at, terminalId, name, actionId, passStrangely }: PassedMessage, pass: () => void): void => {
    // The presence of a terminal whose network is down comes from the broker.
    if (plans?.isTaken(terminalId, 'messages') && name !== Presence.name) return;
    const key = `${at} ${terminalId}`;
    const passOn = (send = pass) => {
      send();
      plans?.messagePassed(terminalId, at);
      held.release(key);
    };
    if (!plans?.awaits(at)) return passOn();
    const ids = [terminalId, ...(actionId ? [actionId] : [])];
    const strike = plans.strike({ at, message: name, ids });
    const { what } = strike ?? {};
    if (what !== undefined && isStrange(what)) return passOn(() => passStrangely?.(what));
    switch (what as Exclude<FaultAt<MessagePoint>, StrangeFault> | undefined) {
      case 'lost':
        return plans.messageLost(terminalId, at);
      case 'network-down':
        return takeDown(terminalId, strike!.delayMs);
      case 'broker-away':
        return takeBrokerAway(strike!.delayMs);
      case 'delay':
        return void plans.putOff(strike!.delayMs, pass);
      case 'out-of-order':
        return held.hold(key, plans.putOff(strike!.delayMs, pass));
      case 'twice':
        pass();
        break;
      case undefined:
    }
    passOn();
  };
}

/** Messages that wait for the next one of the same terminal in the same direction, which a key names. */
function createHeldMessages() {
  const waiting = new Map<string, (() => void)[]>();
  return {
    hold(key: string, pass: () => void): void {
      waiting.set(key, [...(waiting.get(key) ?? []), pass]);
    },
    /** Passes what waits. It may have passed by itself since. */
    release(key: string): void {
      const passes = waiting.get(key) ?? [];
      waiting.delete(key);
      for (const pass of passes) pass();
    },
  };
}
