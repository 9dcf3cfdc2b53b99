import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { decode, type BodyOf, type DeclaredMessage } from '../../protocol/message.ts';
import { parseTopic } from '../../protocol/topics.ts';
import { keyedQueue, type QueueLimits } from './keyed-queue.ts';
import type { Passed } from './terminal-gateway.ts';

export type ReportHandler<M extends DeclaredMessage> = (
  terminalId: string,
  body: BodyOf<M>,
) => Promise<void> | void;

/** Takes what arrives from terminals to whoever handles it: read, in order, and never fatal. */
export interface ReportIntake {
  /** @throws Fault `internal` when somebody takes this message already. */
  on<M extends DeclaredMessage>(message: M, handler: ReportHandler<M>): void;
  receive(topic: string, payload: Uint8Array): void;
  idle(): boolean;
}

interface Reception {
  message: DeclaredMessage;
  handler: ReportHandler<DeclaredMessage>;
}

/**
 * @param limits of the reports of one terminal that may wait to be handled
 * @param passed told of each report when its turn has come, before it is handled
 */
export function createReportIntake(
  log: Log,
  limits: QueueLimits,
  passed?: (passed: Passed) => void,
): ReportIntake {
  const receptions = new Map<string, Reception>();
  const queue = keyedQueue(limits);

  const handle = async ({ message, handler }: Reception, terminalId: string, body: unknown) => {
    try {
      passed?.({ way: 'received', terminalId, name: message.name, body });
      await handler(terminalId, body);
    } catch (error) {
      log.error({ err: error, terminalId, message: message.name }, 'a report could not be handled');
    }
  };

  return {
    on(message, handler) {
      if (receptions.has(message.name)) throw new Fault('internal', `${message.name} is taken twice`);
      receptions.set(message.name, { message, handler: handler as ReportHandler<DeclaredMessage> });
    },

    receive(topic, payload) {
      const parts = parseTopic(topic);
      const reception = parts && receptions.get(parts.message);
      const { audience, channel } = reception?.message ?? {};
      if (!reception || audience !== parts.audience || channel !== parts.channel) {
        return log.debug({ topic }, 'a report that nobody takes, dropped');
      }
      if (payload.length === 0 && reception.message.retain) return; // cleared (MQTT-3.3.1-10)
      const { terminalId, message } = parts;
      let body: unknown;
      try {
        body = decode(reception.message, payload);
      } catch (error) {
        return log.warn({ terminalId, reason: messageOf(error) }, 'a report that cannot be read, dropped');
      }
      if (
        !queue.add(`${audience}/${terminalId}`, payload.length, () => handle(reception, terminalId, body))
      ) {
        log.warn({ terminalId, message, ...limits }, 'too many reports waiting, dropped');
      }
    },

    idle: () => queue.idle,
  };
}
