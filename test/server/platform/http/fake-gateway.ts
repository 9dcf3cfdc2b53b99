import type { BodyOf, DeclaredMessage } from '../../../../protocol/message.ts';
import type { Gateway } from '../../../../server/platform/gateway.ts';

type Handler = (terminalId: string, body: unknown) => Promise<void> | void;

interface Sent {
  message: string;
  terminalId: string;
  body: unknown;
}

/** A gateway without a broker: stores sent commands, and delivers reports of a test. */
export interface FakeGateway extends Gateway {
  online: boolean;
  sent: Sent[];
  clockOffsets: number[];
  /** Adds a listener for sent commands. */
  onSend(listener: (sent: Sent) => void): void;
  report<M extends DeclaredMessage>(message: M, terminalId: string, body: BodyOf<M>): void;
}

export function fakeGateway(): FakeGateway {
  const handlers = new Map<string, Handler>();
  const listeners: ((sent: Sent) => void)[] = [];
  const sent: Sent[] = [];
  const clockOffsets: number[] = [];
  return {
    online: true,
    sent,
    clockOffsets,
    open: () => {},
    close: async () => {},
    async send(message, terminalId, body) {
      const command = { message: message.name, terminalId, body };
      sent.push(command);
      for (const listener of listeners) listener(command);
      return true;
    },
    publishClock: (offsetMs) => void clockOffsets.push(offsetMs),
    onReport: (message, handler) => void handlers.set(message.name, handler as Handler),
    onOnline: () => {},
    idle: () => true,
    onSend: (listener) => void listeners.push(listener),
    report: (message, terminalId, body) => void handlers.get(message.name)?.(terminalId, body),
  };
}
