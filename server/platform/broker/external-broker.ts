import { createHash, pbkdf2Sync } from 'node:crypto';
import type { Random } from '../../../protocol/ids.ts';
import { filtersOf } from '../../../protocol/permissions.ts';
import type { Principal } from '../../../protocol/topics.ts';

export const EXTERNAL_BROKERS = ['mosquitto', 'nats', 'rabbitmq'] as const;
export type ExternalBroker = (typeof EXTERNAL_BROKERS)[number];

export interface BrokerUser {
  username: string;
  password: string;
  principal: Principal;
}

export interface AclOptions {
  users: BrokerUser[];
  /** Source of the salts of the password hashes. */
  random: Random;
  /** Folder of the files, for those that refer to another; a path that ends in `/`, or empty. */
  directory?: string;
  /** What mosquitto listens on; port 1883 of the loopback by default. `none` for a listener of your own. */
  listener?: MosquittoListener | 'none';
}

export interface MosquittoListener {
  port: number;
  /** All addresses by default. */
  host?: string;
}

const LOOPBACK: MosquittoListener = { port: 1883, host: '127.0.0.1' };

export interface AclFile {
  filename: string;
  text: string;
}

/**
 * Returns the configuration files of an external broker, with its users and what each may publish and subscribe to:
 * the rules of the embedded broker. Write them again when a terminal is paired. The files contain passwords or their
 * hashes: only the broker may read them.
 */
export function brokerAcl(kind: ExternalBroker, options: AclOptions): AclFile[] {
  switch (kind) {
    case 'mosquitto':
      return mosquittoFiles(options);
    case 'nats':
      return natsFiles(options);
    case 'rabbitmq':
      return rabbitmqFiles(options);
  }
}

/** Messages that wait for one connection: several of each of 10,000 terminals. */
const MOSQUITTO_QUEUE = 100_000;

function mosquittoFiles({ users, random, directory = '', listener = LOOPBACK }: AclOptions): AclFile[] {
  const passwords = users.map((user) => `${user.username}:${mosquittoHash(user.password, random)}`);
  const rules = users.flatMap(({ username, principal }) => {
    // The patterns below grant every terminal of the sandbox `default` its own topics.
    const { publish, subscribe } = filtersOf(principal);
    const hasPattern = principal.kind === 'terminal' && principal.sandbox === undefined;
    const isGeneral = (filter: string) => !hasPattern || !filter.includes(principal.terminalId);
    return [
      '',
      `user ${username}`,
      ...publish.filter(isGeneral).map((filter) => `topic write ${filter}`),
      ...subscribe.filter(isGeneral).map((filter) => `topic read ${filter}`),
    ];
  });
  const own = filtersOf({ kind: 'terminal', terminalId: '%u' });
  const isOwn = (filter: string) => filter.includes('%u');
  const patterns = [
    '# A terminal and its own topics; %u is the user name, which is its id.',
    ...own.publish.filter(isOwn).map((filter) => `pattern write ${filter}`),
    ...own.subscribe.filter(isOwn).map((filter) => `pattern read ${filter}`),
  ];
  const settings = [
    ...listenerLines(listener),
    'allow_anonymous false',
    `password_file ${directory}tapbench.passwords`,
    `acl_file ${directory}tapbench.acl`,
    '# Without it a command and its answer take 44 ms instead of 0.3.',
    'set_tcp_nodelay true',
    'max_packet_size 65536',
    '# A server that connects is sent what all terminals retain at once. Of the usual 1000 the rest would be lost.',
    `max_queued_messages ${MOSQUITTO_QUEUE}`,
  ];
  return [
    { filename: 'tapbench.conf', text: lines(settings) },
    { filename: 'tapbench.passwords', text: lines(passwords) },
    { filename: 'tapbench.acl', text: lines([...patterns, ...rules]) },
  ];
}

/**
 * `use_username_as_clientid` holds for the listener before it in the same file. In a file of `include_dir` that has none it
 * opens a second listener, on port 1883 of all addresses.
 */
function listenerLines(listener: MosquittoListener | 'none'): string[] {
  const why =
    '# A client is known by its user name whatever client id it sends, so none takes the place of another.';
  const rule = 'use_username_as_clientid true';
  if (listener === 'none')
    return [why, '# This belongs below the listener of your own, in its file:', `#   ${rule}`];
  const { port, host } = listener;
  return [`listener ${port}${host === undefined ? '' : ` ${host}`}`, why, rule];
}

// mosquitto_passwd's own figures. The passwords are 256 random bits, so more rounds would protect nothing.
const MOSQUITTO_ROUNDS = 101;
const MOSQUITTO_SALT_BYTES = 12;

/** `$7$rounds$salt$hash`: PBKDF2 with SHA-512, salt and 64-byte hash in base64, as mosquitto_passwd writes it. */
function mosquittoHash(password: string, random: Random): string {
  const salt = random.bytes(MOSQUITTO_SALT_BYTES);
  const hash = pbkdf2Sync(password, salt, MOSQUITTO_ROUNDS, 64, 'sha512');
  return `$7$${MOSQUITTO_ROUNDS}$${Buffer.from(salt).toString('base64')}$${hash.toString('base64')}`;
}

/**
 * A file for nats-server to include. A topic is a subject there: `/` is `.`, `+` is `*`. A subscription at QoS 1
 * is served through a subject of the server's own, `$MQTT.sub.…`, which the user must be allowed as well.
 */
function natsFiles({ users }: AclOptions): AclFile[] {
  const entries = users.map(({ username, password, principal }) => {
    const { publish, subscribe } = filtersOf(principal);
    const permissions = {
      publish: { allow: publish.map(natsSubject) },
      subscribe: { allow: [...subscribe.map(natsSubject), '$MQTT.sub.>'] },
    };
    return `    ${JSON.stringify({ user: username, password, allowed_connection_types: ['MQTT'], permissions })}`;
  });
  const text = lines([
    '# nats-server has no rule for client ids: a terminal can take the place of another by connecting with its id.',
    '# Sessions and retained messages of MQTT live in JetStream, so it has to be on: jetstream { store_dir: ... }',
    'authorization {',
    '  users: [',
    entries.join(',\n'),
    '  ]',
    '}',
  ]);
  return [{ filename: 'tapbench.conf', text }];
}

function natsSubject(filter: string): string {
  return filter.replaceAll('/', '.').replaceAll('+', '*');
}

/**
 * Definitions for RabbitMQ to import. Its MQTT plugin publishes to the exchange `amq.topic`, the topic as routing
 * key with dots for slashes, and gives each connection queues named `mqtt-subscription-{client id}qos0` and `qos1`:
 * a user may have those of its own client id.
 */
function rabbitmqFiles({ users, random }: AclOptions): AclFile[] {
  const vhost = '/';
  const queuesOf = ({ username, principal }: BrokerUser) =>
    `mqtt-subscription-${escaped(username)}${principal.kind === 'server' ? '-.+' : ''}qos[01]`;
  const definitions = {
    vhosts: [{ name: vhost }],
    users: users.map(({ username, password }) => ({
      name: username,
      password_hash: rabbitmqHash(password, random),
      hashing_algorithm: 'rabbit_password_hashing_sha256',
      tags: [],
    })),
    permissions: users.map((user) => ({
      user: user.username,
      vhost,
      configure: `^${queuesOf(user)}$`,
      write: `^(${queuesOf(user)}|amq\\.topic)$`,
      read: `^(${queuesOf(user)}|amq\\.topic)$`,
    })),
    topic_permissions: users.map(({ username, principal }) => {
      const { publish, subscribe } = filtersOf(principal);
      const exchange = 'amq.topic';
      return { user: username, vhost, exchange, write: routingKeys(publish), read: routingKeys(subscribe) };
    }),
  };
  return [{ filename: 'tapbench.definitions.json', text: `${JSON.stringify(definitions, null, 2)}\n` }];
}

/** Returns a regular expression for the routing keys of filters; `*` is the `+` of a subscription. */
function routingKeys(filters: string[]): string {
  const levels = (filter: string) =>
    filter.split('/').map((level) => (level === '+' ? '[^.]+' : escaped(level)));
  return `^(${filters.map((filter) => levels(filter).join('\\.')).join('|')})$`;
}

/** Escapes a text for a regular expression. */
function escaped(text: string): string {
  return text.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&');
}

/** Four bytes of salt and SHA-256 over salt and password, in base64. */
function rabbitmqHash(password: string, random: Random): string {
  const salt = random.bytes(4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString('base64');
}

function lines(each: string[]): string {
  return `${each.join('\n')}\n`;
}
