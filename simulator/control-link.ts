import { messageOf } from '../protocol/failures.ts';
import type { Connector, Link, LinkCredentials } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import { decode, encode, type BodyOf } from '../protocol/message.ts';
import { Simulate, Simulated, type SimulationAct } from '../protocol/messages/sandbox.messages.ts';
import { commandFilter, parseTopic } from '../protocol/topics.ts';
import { cardsOfferedMessage } from './cards-offered.ts';
import type { SimulationReply } from './simulated-terminal.ts';

export interface ControlLinkParts {
  credentials: LinkCredentials;
  connect: Connector;
  log: Log;
  /** Does an act to a terminal of this process; undefined for a terminal that somebody else simulates. */
  perform(terminalId: string, act: SimulationAct): SimulationReply | undefined;
  onOnline?(): void;
}

// How many answers are kept for requests that come twice, which they do within seconds (MQTT QoS 1).
const ANSWERS_KEPT = 256;

/**
 * The channel on which a simulator process is told what to do to the worlds of its terminals. It listens to
 * the commands for all simulated terminals, so that terminals come and go without a new subscription, and
 * leaves alone those that are not its own.
 */
export function createControlLink({ credentials, connect, log, perform, onOnline }: ControlLinkParts): Link {
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
        // The server asks again, and the kept answer is given then.
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
        link.publish(cardsOfferedMessage(credentials.username)).catch((error: unknown) => {
          log.debug({ problem: messageOf(error) }, 'the cards are offered at the next connection');
        });
        onOnline?.();
      },
      offline: () => {},
      message,
    },
  });
  return link;
}
