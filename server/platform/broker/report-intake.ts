import { Fault, messageOf } from '../../../protocol/failures.ts';
import { maskCardNumbers } from '../../../protocol/card-numbers.ts';
import type { Log } from '../../../protocol/log.ts';
import { decode, type DeclaredMessage } from '../../../protocol/message.ts';
import { parseTopic } from '../../../protocol/topics.ts';
import { keyedQueue, type QueueLimits } from './keyed-queue.ts';
import { dropUnknown } from '../http/json-body.ts';
import { maskReport } from './mask-report.ts';
import type { ReportHandler, ReportOptions } from '../gateway.ts';

/** Returns whether an action belongs to the terminal. */
export type OwnsAction = (terminalId: string, actionId: string) => Promise<boolean>;

/** Decodes the reports of terminals and calls their handlers, in order. A report never stops the server. */
interface ReportIntake {
  /** @throws Fault `internal` when this message has a handler already. */
  on<M extends DeclaredMessage>(message: M, handler: ReportHandler<M>, options?: ReportOptions): void;
  receive(topic: string, payload: Uint8Array): void;
  idle(): boolean;
}

interface Subscription {
  message: DeclaredMessage;
  handler: ReportHandler<DeclaredMessage>;
  anyAction: boolean;
}

interface ReportIntakeOptions {
  log: Log;
  /** Limits of the waiting reports of one terminal. */
  limits: QueueLimits;
  ownsAction: OwnsAction;
  /** Whether a report of a terminal waits until the one before it is handled, not just begun. */
  oneAtATime: boolean;
  /** Called with each report right before it is handled. */
  onMessage?: ((message: TransmittedMessage) => void) | undefined;
}

export function createReportIntake(options: ReportIntakeOptions): ReportIntake {
  const { log, limits, ownsAction, oneAtATime, onMessage } = options;
  const subscriptions = new Map<string, Subscription>();
  const queue = keyedQueue(limits);
  const read = createReportReader();

  const handle = async (
    subscription: Subscription,
    terminalId: string,
    body: unknown,
    letNextBegin: () => void,
  ) => {
    const { message, handler, anyAction } = subscription;
    const { actionId } = body as { actionId?: string };
    try {
      // An id is no secret: it is in every webhook of the account.
      const own = actionId === undefined || (await ownsAction(terminalId, actionId));
      if (!own) log.warn({ terminalId, actionId, message: message.name }, "a report on another's action");
      const ownActionId = own ? (actionId ?? null) : null;
      onMessage?.({ way: 'received', terminalId, name: message.name, actionId: ownActionId, body });
      if (!own && !anyAction) return;
      const handled = handler(terminalId, body);
      if (!oneAtATime) letNextBegin();
      await handled;
    } catch (error) {
      log.error({ err: error, terminalId, message: message.name }, 'a report could not be handled');
    }
  };

  return {
    on(message, handler, { anyAction = false } = {}) {
      if (subscriptions.has(message.name))
        throw new Fault('internal', `${message.name} has a handler already`);
      const subscription = { message, handler: handler as ReportHandler<DeclaredMessage>, anyAction };
      subscriptions.set(message.name, subscription);
    },

    receive(topic, payload) {
      const parts = parseTopic(topic);
      const subscription = parts && subscriptions.get(parts.message);
      const { audience, channel } = subscription?.message ?? {};
      if (!subscription || audience !== parts.audience || channel !== parts.channel) {
        return log.debug({ topic: maskCardNumbers(topic, 'likely') }, 'a report without a handler, dropped');
      }
      if (payload.length === 0 && subscription.message.retain) return; // cleared (MQTT-3.3.1-10)
      const { terminalId, message } = parts;
      let body: unknown;
      try {
        body = read(subscription.message, payload);
      } catch (error) {
        const reason = maskCardNumbers(messageOf(error), 'likely');
        return log.warn({ terminalId, reason }, 'a report that cannot be read, dropped');
      }
      if (
        !queue.add(`${audience}/${terminalId}`, payload.length, (letNextBegin) =>
          handle(subscription, terminalId, body, letNextBegin),
        )
      ) {
        log.warn({ terminalId, message, ...limits }, 'too many reports waiting, dropped');
      }
    },

    idle: () => queue.idle,
  };
}

/**
 * Creates a function that decodes a report and masks it. A retained report says what a terminal is, and the terminals
 * of a fleet say the same: one equal to the last of its name has the same body, which handlers must not change.
 * The function throws Fault `garbage_message`.
 */
function createReportReader() {
  const last = new Map<string, { payload: Buffer; body: unknown }>();
  return (message: DeclaredMessage, payload: Uint8Array): unknown => {
    const known = last.get(message.name);
    if (known?.payload.equals(payload)) return known.body;
    const decoded: unknown = decode(message, payload);
    dropUnknown(message.body, decoded);
    const body = maskReport(decoded);
    if (message.retain) last.set(message.name, { payload: Buffer.from(payload), body });
    return body;
  };
}

/** A message that was sent to, or received from, a terminal or its simulator. */
export interface TransmittedMessage {
  way: 'sent' | 'received';
  terminalId: string;
  name: string;
  /** The action that it names; null for none, or for another terminal's. */
  actionId: string | null;
  body: unknown;
}
