import type { Behaviour, Receiver } from '../world/receivers.ts';

type BehaviourFunction = Extract<Behaviour, (...given: never[]) => unknown>;
type Reply = Awaited<ReturnType<BehaviourFunction>>;

interface EndpointParts {
  /** Resolves when the process stops. */
  stopped: Promise<unknown>;
  /** Whether the process does nothing more, also no reply. */
  isLeft(): boolean;
  /** Called when the process acknowledges an event, with its type. */
  onAcknowledged(eventType: string): void;
}

/** The webhook endpoints at which a process of the integrator listens. */
export interface ProcessEndpoints {
  /** Returns an endpoint whose behaviour is that of the process. */
  endpoint(receiver: Receiver): Receiver;
  /** Has all that were returned refuse connections. Returns what has them behave as before. */
  refuse(): () => void;
}

export function createProcessEndpoints({ stopped, isLeft, onAcknowledged }: EndpointParts): ProcessEndpoints {
  const listening = new Set<Receiver>();
  // The connections of a process end with it.
  const broken = stopped.then(() => 'refuse' as const);
  const ofProcess =
    (behaviour: BehaviourFunction): BehaviourFunction =>
    (delivery) => {
      if (isLeft()) return new Promise(() => {});
      const acknowledged = (reply: Reply) => {
        if (typeof reply === 'number' && reply < 300) onAcknowledged(delivery.event?.eventType);
        return reply;
      };
      const reply = behaviour(delivery);
      return typeof reply === 'object'
        ? Promise.race([reply, broken]).then(acknowledged)
        : acknowledged(reply);
    };
  return {
    endpoint(receiver) {
      listening.add(receiver);
      return {
        ...receiver,
        get behaviour() {
          return receiver.behaviour;
        },
        set behaviour(behaviour) {
          receiver.behaviour = typeof behaviour === 'function' ? ofProcess(behaviour) : behaviour;
        },
      };
    },
    refuse() {
      const before = [...listening].map((receiver) => ({ receiver, behaviour: receiver.behaviour }));
      for (const { receiver } of before) receiver.behaviour = 'refuse';
      return () => {
        for (const { receiver, behaviour } of before) receiver.behaviour = behaviour;
      };
    },
  };
}
