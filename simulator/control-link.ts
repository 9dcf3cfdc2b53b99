import { Fault, messageOf } from '../protocol/failures.ts';
import type { Connector, Link, LinkCredentials } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import { decode, encode, type BodyOf, type Envelope } from '../protocol/message.ts';
import {
  Simulate,
  Simulated,
  type SimulationAct,
  CardsOffered,
} from '../protocol/messages/sandbox.messages.ts';
import { PrinterShown } from '../protocol/messages/receipt-printer.messages.ts';
import { commandFilter, parseTopic, parseUser } from '../protocol/topics.ts';
import type { SimulationReply } from './simulated-terminal.ts';
import { CARD_NAMES } from './cards/card-registry.ts';
import type { CardFile } from './cards/card-profile.ts';
import { PROFILES } from './cards/card-files.ts';

export interface ControlLinkParts {
  credentials: LinkCredentials;
  connect: Connector;
  log: Log;
  /** Performs an action at a terminal of this process; returns undefined for other terminals. */
  perform(terminalId: string, act: SimulationAct): SimulationReply | undefined;
  onOnline?(): void;
}

export interface ControlLink extends Pick<Link, 'open' | 'close'> {
  /** Reports the receipt printer beside a terminal, while the link is online. */
  showPrinter(terminalId: string, shown: BodyOf<typeof PrinterShown>): void;
}

/** Logs that terminals run without a control link: a warning where no key was given, which may be on purpose. */
export function logNoControl(log: Log, error: unknown): void {
  const isChosen = error instanceof Fault && error.code === 'bad_setting';
  log[isChosen ? 'warn' : 'error'](
    { problem: messageOf(error) },
    'no control link: /sandbox calls do not reach these terminals',
  );
}

// Number of replies kept for repeated requests (MQTT QoS 1).
const ANSWERS_KEPT = 256;

/**
 * Creates the link on which a simulator receives `simulate` commands. It subscribes to the commands of all simulated
 * terminals and ignores those of other simulators, so that terminals can be added and removed without resubscribing.
 */
export function createControlLink({
  credentials,
  connect,
  log,
  perform,
  onOnline,
}: ControlLinkParts): ControlLink {
  const answers = new Map<string, BodyOf<typeof Simulated>>();

  const answerTo = (terminalId: string, payload: Uint8Array): BodyOf<typeof Simulated> | undefined => {
    const { requestId, act } = decode(Simulate, payload);
    const key = `${terminalId} ${requestId}`;
    const known = answers.get(key);
    if (known) return known;
    const outcome = perform(terminalId, act);
    if (!outcome) return undefined;
    const answer = { requestId, ...outcome };
    answers.set(key, answer);
    if (answers.size > ANSWERS_KEPT) answers.delete(answers.keys().next().value!);
    return answer;
  };

  const message = (topic: string, payload: Uint8Array) => {
    const parts = parseTopic(topic);
    if (parts?.audience !== 'simulators' || parts.message !== Simulate.name) return;
    try {
      const answer = answerTo(parts.terminalId, payload);
      if (!answer) return;
      link.publish(encode(Simulated, parts.terminalId, answer)).catch((error: unknown) => {
        // The server repeats the request, and gets the stored reply.
        log.warn({ terminalId: parts.terminalId, problem: messageOf(error) }, 'an answer could not be sent');
      });
    } catch (error) {
      log.warn(
        { terminalId: parts.terminalId, problem: messageOf(error) },
        'a simulation request was dropped',
      );
    }
  };

  const link = connect({
    credentials,
    subscriptions: [commandFilter('simulators', '+')],
    handlers: {
      online() {
        link.publish(cardsOfferedMessage(parseUser(credentials.username).id)).catch((error: unknown) => {
          log.debug({ problem: messageOf(error) }, 'the cards are offered at the next connection');
        });
        onOnline?.();
      },
      offline: () => {},
      message,
    },
  });
  return {
    open: () => link.open(),
    close: () => link.close(),
    showPrinter(terminalId, shown) {
      if (!link.online) return;
      link.publish(encode(PrinterShown, terminalId, shown)).catch((error: unknown) => {
        log.debug({ problem: messageOf(error) }, 'the printers are shown at the next connection');
      });
    },
  };
}

/**
 * Returns the `cards.offered` message with all cards. Its topic contains `simulatorId` in place of a terminal id.
 */
function cardsOfferedMessage(simulatorId: string): Envelope {
  return encode(CardsOffered, simulatorId, { cards: CARD_NAMES.map(describeCard) });
}

function describeCard(name: string): BodyOf<typeof CardsOffered>['cards'][number] {
  const { title, entryModes, pin } = PROFILES[name] as CardFile;
  return { name, title, entryModes, hasPin: pin !== undefined };
}
