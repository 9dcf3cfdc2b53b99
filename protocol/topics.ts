/**
 * The topic tree:
 *
 *   tapbench/clock                                        server to all, retained
 *   tapbench/terminals/{terminalId}/commands/{message}    server to one terminal
 *   tapbench/terminals/{terminalId}/reports/{message}     one terminal to the server
 *   tapbench/simulators/{terminalId}/commands/{message}   server to the simulator of that terminal
 *   tapbench/simulators/{terminalId}/reports/{message}    simulator to the server
 *
 * Simulators have topics and credentials of their own, so that a terminal whose simulated network or power is off can
 * be switched on again. A sandbox other than `default` has the same tree under `tapbench/{sandbox}/`
 * (sandbox-topics.ts).
 */
export const CLOCK_TOPIC = 'tapbench/clock';

/**
 * Filter of the topics to which the embedded broker redirects messages that their sender may not publish.
 *
 *   $denied/{clientId}/{topic}
 */
export const DENIED_FILTER = '$denied/#';

export type Audience = 'terminals' | 'simulators';
export type Channel = 'commands' | 'reports';

/** The client of a connection, by its credentials. The server works for every sandbox, a device for its own. */
export type Principal =
  | { kind: 'server' }
  | { kind: 'terminal'; terminalId: string; sandbox?: string }
  | { kind: 'simulator'; simulatorId: string; sandbox?: string };

export interface TopicParts {
  audience: Audience;
  terminalId: string;
  channel: Channel;
  message: string;
}

/**
 * Returns the topic of a message. Dots in its name become hyphens, because NATS and RabbitMQ separate levels by dots.
 * Names contain no hyphens, so the topic is unambiguous.
 */
export function topicOf(parts: TopicParts): string {
  return `tapbench/${parts.audience}/${parts.terminalId}/${parts.channel}/${parts.message.replaceAll('.', '-')}`;
}

const TOPIC = /^tapbench\/(terminals|simulators)\/([^/+#]+)\/(commands|reports)\/([^/+#]+)$/;

/** Parses a topic of the tree; returns undefined for any other text. */
export function parseTopic(topic: string): TopicParts | undefined {
  const match = TOPIC.exec(topic);
  if (!match) return undefined;
  const [, audience, terminalId, channel, level] = match as unknown as [
    string,
    Audience,
    string,
    Channel,
    string,
  ];
  return { audience, terminalId, channel, message: level.replaceAll('-', '.') };
}

/** Filters that the server subscribes to. */
export const SERVER_FILTERS = ['tapbench/terminals/+/reports/+', 'tapbench/simulators/+/reports/+'];

/** Returns the filter for all commands to a terminal or its simulator. */
export function commandFilter(audience: Audience, terminalId: string): string {
  return `tapbench/${audience}/${terminalId}/commands/+`;
}

// Longer than any topic of the tree, and below the limits of brokers.
const DENIED_TOPIC_CHARACTERS = 200;

/** Returns the topic to which a denied message is redirected; valid for any client id and topic. */
export function deniedTopic(clientId: string, topic: string): string {
  const sender = clientId.slice(0, 64).replace(/[/+#]/g, '_');
  return `$denied/${sender}/${topic.slice(0, DENIED_TOPIC_CHARACTERS).split('/').slice(0, 10).join('/').replace(/[+#]/g, '_')}`;
}
