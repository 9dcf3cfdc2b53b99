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

export interface TopicParts {
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

/** A terminal writes its own reports, a simulator those of the simulators, the server everything else. */
export function mayPublish(principal: Principal, topic: string): boolean {
  const parts = parseTopic(topic);
  switch (principal.kind) {
    case 'server':
      return topic === CLOCK_TOPIC || parts?.channel === 'commands';
    case 'terminal':
      return (
        parts?.audience === 'terminals' &&
        parts.terminalId === principal.terminalId &&
        parts.channel === 'reports'
      );
    case 'simulator':
      return parts?.audience === 'simulators' && parts.channel === 'reports';
  }
}

/** A terminal reads its own commands, a simulator those to any simulated terminal; both read the clock. */
export function maySubscribe(principal: Principal, filter: string): boolean {
  if (principal.kind === 'server') return SERVER_FILTERS.includes(filter) || filter === DENIED_FILTER;
  if (filter === CLOCK_TOPIC) return true;
  if (principal.kind === 'terminal') return filter === commandFilter('terminals', principal.terminalId);
  return /^tapbench\/simulators\/[^/#]+\/commands\/\+$/.test(filter);
}

/**
 * The same rules as MQTT topic filters, for an external broker that has to be told them.
 * `mayPublish` and `maySubscribe` are the rules; a test holds these to them.
 */
export function filtersOf(principal: Principal): { publish: string[]; subscribe: string[] } {
  switch (principal.kind) {
    case 'server':
      return {
        publish: [CLOCK_TOPIC, commandFilter('terminals', '+'), commandFilter('simulators', '+')],
        subscribe: SERVER_FILTERS,
      };
    case 'terminal':
      return {
        publish: [`tapbench/terminals/${principal.terminalId}/reports/+`],
        subscribe: [CLOCK_TOPIC, commandFilter('terminals', principal.terminalId)],
      };
    case 'simulator':
      return {
        publish: ['tapbench/simulators/+/reports/+'],
        subscribe: [CLOCK_TOPIC, commandFilter('simulators', '+')],
      };
  }
}

// Longer than any topic of the tree, and far from the levels at which a broker refuses a topic altogether.
const DENIED_TOPIC_CHARACTERS = 200;

/** Where a publish goes that its sender is not allowed; safe for any client id and any topic, a will's too. */
export function deniedTopic(clientId: string, topic: string): string {
  const sender = clientId.slice(0, 64).replace(/[/+#]/g, '_');
  return `$denied/${sender}/${topic.slice(0, DENIED_TOPIC_CHARACTERS).split('/').slice(0, 10).join('/').replace(/[+#]/g, '_')}`;
}
