/**
 * The topic tree, and who may use which part of it.
 *
 *   tapbench/clock                                        server to everybody, retained
 *   tapbench/terminals/{terminalId}/commands/{message}    server to one terminal
 *   tapbench/terminals/{terminalId}/reports/{message}     one terminal to the server
 *   tapbench/simulators/{terminalId}/commands/{message}   server to whoever simulates that terminal
 *   tapbench/simulators/{terminalId}/reports/{message}    and back
 *
 * The simulator's half is apart from the terminal's, and has credentials of its own, so that a terminal whose
 * network or power was cut can still be told to come back.
 */
export const CLOCK_TOPIC = 'tapbench/clock';

/**
 * Where the embedded broker puts what its sender may not publish; the server may look at it.
 *
 *   $denied/{clientId}/{topic}
 */
export const DENIED_FILTER = '$denied/#';

export type Audience = 'terminals' | 'simulators';
export type Channel = 'commands' | 'reports';

/** Who is on the other end of a connection, as its credentials say. */
export type Principal =
  { kind: 'server' } | { kind: 'terminal'; terminalId: string } | { kind: 'simulator'; simulatorId: string };

interface TopicParts {
  audience: Audience;
  terminalId: string;
  channel: Channel;
  message: string;
}

/**
 * A dot in the name of a message is a hyphen in its topic, since NATS and RabbitMQ divide levels by dots (and
 * NATS before 2.10 hangs up on a topic that has one). Names have no hyphens of their own, so nothing is lost.
 */
export function topicOf(parts: TopicParts): string {
  return `tapbench/${parts.audience}/${parts.terminalId}/${parts.channel}/${parts.message.replaceAll('.', '-')}`;
}

const TOPIC = /^tapbench\/(terminals|simulators)\/([^/+#]+)\/(commands|reports)\/([^/+#]+)$/;

/** The parts of a topic of the tree, or undefined for any other text. */
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

/** Topic filters that the server subscribes to. */
export const SERVER_FILTERS = ['tapbench/terminals/+/reports/+', 'tapbench/simulators/+/reports/+'];

/** The filter for every command to one terminal, or to whoever simulates it. */
export function commandFilter(audience: Audience, terminalId: string): string {
  return `tapbench/${audience}/${terminalId}/commands/+`;
}

// Longer than any topic of the tree, and far from the levels at which a broker refuses a topic altogether.
const DENIED_TOPIC_CHARACTERS = 200;

/** Where a publish goes that its sender is not allowed; safe for any client id and any topic, a will's too. */
export function deniedTopic(clientId: string, topic: string): string {
  const sender = clientId.slice(0, 64).replace(/[/+#]/g, '_');
  return `$denied/${sender}/${topic.slice(0, DENIED_TOPIC_CHARACTERS).split('/').slice(0, 10).join('/').replace(/[+#]/g, '_')}`;
}
