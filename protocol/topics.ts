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
 * be switched on again. A sandbox other than `default` has the same tree under `tapbench/{sandbox}/`.
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

/** The sandbox that a server has without being asked. Its topics, addresses and user names have no name in them. */
export const DEFAULT_SANDBOX = 'default';

const RESERVED_NAMES = ['terminals', 'simulators', 'clock'];
const NAME = /^[a-z0-9-]{1,40}$/;

/** Whether a text can be the name of a sandbox: it is also a level of its topics and part of its addresses. */
export function isSandboxName(name: string): boolean {
  return NAME.test(name) && !RESERVED_NAMES.includes(name);
}

const ROOT = 'tapbench/';

/** Returns a topic or filter of the tree as that of a sandbox: `tapbench/{sandbox}/…`. Other topics have none. */
export function topicIn(sandbox: string, topic: string): string {
  if (sandbox === DEFAULT_SANDBOX || !topic.startsWith(ROOT)) return topic;
  return `${ROOT}${sandbox}/${topic.slice(ROOT.length)}`;
}

/** Returns a topic or filter of a sandbox without its level, or undefined when it is not of this sandbox. */
export function topicWithin(sandbox: string, topic: string): string | undefined {
  if (sandbox === DEFAULT_SANDBOX) return topic;
  const prefix = `${ROOT}${sandbox}/`;
  return topic.startsWith(prefix) ? ROOT + topic.slice(prefix.length) : undefined;
}

/** Returns the sandbox that a topic of the tree belongs to. */
export function sandboxOfTopic(topic: string): string {
  const [, level = ''] = topic.split('/', 2);
  return topic.startsWith(ROOT) && isSandboxName(level) ? level : DEFAULT_SANDBOX;
}

/** Returns the user name of a device in a sandbox: `{id}@{sandbox}`. */
export function userIn(sandbox: string, id: string): string {
  return sandbox === DEFAULT_SANDBOX ? id : `${id}@${sandbox}`;
}

// Of a terminal or a simulator. The server's user name at an external broker may be an email address.
const DEVICE_IN_SANDBOX = /^((?:tml|sim)_[^@]+)@([a-z0-9-]{1,40})$/;

/** Returns the id and the sandbox in a user name. */
export function parseUser(username: string): { id: string; sandbox: string } {
  const [, id, sandbox] = DEVICE_IN_SANDBOX.exec(username) ?? [];
  if (id === undefined || sandbox === undefined) return { id: username, sandbox: DEFAULT_SANDBOX };
  return { id, sandbox };
}
