import { Fault, messageOf } from '../../../protocol/failures.ts';
import { CARD_NUMBER_MASKED, maskCardNumbers } from '../../../protocol/card-numbers.ts';
import type { Log } from '../../../protocol/log.ts';
import type { DeclaredMessage } from '../../../protocol/message.ts';
import { parseTopic, topicOf, type TopicParts } from '../../../protocol/topics.ts';
import { keyedQueue, type QueueLimits } from './keyed-queue.ts';
import { createReportReader, type ArrivedReport } from './report-reader.ts';
import type { createMessagePasser } from '../faults/struck-messages.ts';
import type { RefusedMessage } from '../activities.ts';
import type { ReportHandler, ReportOptions } from '../gateway.ts';

/** Returns whether an action belongs to the terminal. */
export type OwnsAction = (terminalId: string, actionId: string) => Promise<boolean>;

/** Decodes the reports of terminals and calls their handlers, in order. A report never stops the server. */
interface ReportIntake {
  /** @throws Fault `internal` when this message has a handler already. */
  on<M extends DeclaredMessage>(message: M, handler: ReportHandler<M>, options?: ReportOptions): void;
  /** Takes a message: a report, or a batch of them. */
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
  /** Passes each report of a terminal on, or lets a fault strike it. */
  passMessage: ReturnType<typeof createMessagePasser>;
  /** Called with each report that is dropped. */
  onRefused?: ((refused: RefusedMessage) => void) | undefined;
  /** Called with each report right before it is handled. */
  onMessage?: ((message: TransmittedMessage) => void) | undefined;
}

export function createReportIntake(options: ReportIntakeOptions): ReportIntake {
  const { log, limits, ownsAction, onMessage, passMessage } = options;
  const subscriptions = new Map<string, Subscription>();
  const queue = keyedQueue(limits);
  const { refuse, dropUnhandled, dropUnreadable } = createDrops(options);
  const reportsIn = createReportReader();

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
      onMessage?.({ direction: 'received', terminalId, name: message.name, actionId: ownActionId, body });
      if (!own) refuse(terminalId, message.name, 'the action is not one of this terminal');
      if (!own && !anyAction) return;
      const handled = handler(terminalId, body);
      letNextBegin();
      await handled;
    } catch (error) {
      log.error({ err: error, terminalId, message: message.name }, 'a report could not be handled');
    }
  };

  /** Puts a report into the queue of its terminal. */
  function receiveReport({ terminalId, audience, channel, message, bytes, read }: ArrivedReport): void {
    const subscription = subscriptions.get(message);
    if (subscription?.message.audience !== audience || subscription.message.channel !== channel)
      return dropUnhandled(topicOf({ terminalId, audience, channel, message }));
    if (bytes === 0 && subscription.message.retain) return; // cleared (MQTT-3.3.1-10)
    const { body, hadCardNumber } = read(subscription.message);
    if (hadCardNumber && audience === 'terminals') refuse(terminalId, message, CARD_NUMBER_MASKED);
    const isAdded = queue.add(`${audience}/${terminalId}`, bytes, (letNextBegin) =>
      handle(subscription, terminalId, body, letNextBegin),
    );
    if (isAdded) return;
    log.warn({ terminalId, message, ...limits }, 'too many reports waiting, dropped');
    refuse(terminalId, message, 'too many reports of this terminal are waiting');
  }

  function passReport(report: ArrivedReport): void {
    const receive = () => dropUnreadable(report, () => receiveReport(report));
    const { audience, terminalId, message: name } = report;
    if (audience === 'terminals') passMessage({ at: 'message.report', terminalId, name }, receive);
    else receive();
  }

  return {
    on(message, handler, { anyAction = false } = {}) {
      if (subscriptions.has(message.name))
        throw new Fault('internal', `${message.name} has a handler already`);
      const subscription = { message, handler: handler as ReportHandler<DeclaredMessage>, anyAction };
      subscriptions.set(message.name, subscription);
    },

    receive(topic, payload) {
      const address = parseTopic(topic);
      if (!address) return dropUnhandled(topic);
      dropUnreadable(address, () => {
        for (const report of reportsIn(address, payload)) passReport(report);
      });
    },

    idle: () => queue.idle,
  };
}

/** Creates the functions that drop reports. */
function createDrops({ log, onRefused }: Pick<ReportIntakeOptions, 'log' | 'onRefused'>) {
  const refuse = (terminalId: string, message: string, reason: string) =>
    onRefused?.({ terminalId, actionId: null, message: maskCardNumbers(message, 'likely'), reason });
  return {
    refuse,
    dropUnhandled(topic: string): void {
      log.debug({ topic: maskCardNumbers(topic, 'likely') }, 'a report without a handler, dropped');
      const address = parseTopic(topic);
      if (address?.audience === 'terminals') refuse(address.terminalId, address.message, 'unknown message');
    },
    /** Runs a function, and logs what it throws because of a report that cannot be read. */
    dropUnreadable({ terminalId, message }: TopicParts, run: () => void): void {
      try {
        run();
      } catch (error) {
        const reason = maskCardNumbers(messageOf(error), 'likely');
        log.warn({ terminalId, reason }, 'a report that cannot be read, dropped');
        refuse(terminalId, message, reason);
      }
    },
  };
}

/** A message that was sent to, or received from, a terminal or its simulator. */
export interface TransmittedMessage {
  direction: 'sent' | 'received';
  terminalId: string;
  name: string;
  /** The action that it names; null for none, or for another terminal's. */
  actionId: string | null;
  body: unknown;
}
