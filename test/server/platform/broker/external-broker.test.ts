import { expect, test } from 'vitest';
import { seededRandom, type Random } from '../../../../protocol/ids.ts';
import { mayPublish, maySubscribe } from '../../../../protocol/permissions.ts';
import { CLOCK_TOPIC, topicOf } from '../../../../protocol/topics.ts';
import {
  brokerAcl,
  EXTERNAL_BROKERS,
  type BrokerUser,
} from '../../../../server/platform/broker/external-broker.ts';
import { parsePrincipal } from '../../../../server/platform/broker/terminal-credentials.ts';
import { makeBrokerUsers } from '../../../contract/broker-users.ts';

const cast = makeBrokerUsers();
const users: BrokerUser[] = Object.values(cast).map(({ username, password }) => ({
  username,
  password,
  principal: parsePrincipal(username)!,
}));
const random = seededRandom('external broker');

/** The declared reports of terminals, as levels of a topic. */
const REPORTS = [
  'presence',
  'action-accepted',
  'action-authorise',
  'receipt-ready',
  'action-completed',
  'action-abandoned',
  'action-unsettled',
  'action-inquired',
  'reversal-reported',
  'machine-described',
  'machine-stepped',
  'display-shown',
  'reader-traced',
  'reports-batched',
];

test("external broker: mosquitto's password hashes equal those of its own tool", () => {
  // Made by `mosquitto_passwd -b` of mosquitto 2.0.11 for alice and s3cret.
  const made =
    'alice:$7$101$3O26Eyzdu+yXmN79$cbWlEBDXj9vVWFuKwhrcDwhQ/zBc2qplkWxHRMyA0I2jQTlB0vqmxolml7CON78pwZv75u2nEf2XvRuD8QA4qA==\n';
  const salt: Random = { bytes: () => Buffer.from('3O26Eyzdu+yXmN79', 'base64') };
  const alice: BrokerUser = { username: 'alice', password: 's3cret', principal: { kind: 'server' } };
  const files = brokerAcl('mosquitto', { users: [alice], random: salt });
  expect(files.find(({ filename }) => filename === 'tapbench.passwords')!.text).toBe(made);
});

test('external broker: mosquitto has the rules once for all terminals, and the rest by user', () => {
  const files = brokerAcl('mosquitto', {
    users: users.slice(0, 2),
    random,
    directory: '/etc/mosquitto/tapbench/',
  });
  const text = (name: string) => files.find(({ filename }) => filename === name)!.text;
  expect(text('tapbench.acl').split('\n').slice(1)).toEqual([
    ...REPORTS.map((name) => `pattern write tapbench/terminals/%u/reports/${name}`),
    'pattern read tapbench/terminals/%u/commands/+',
    '',
    'user server',
    'topic write tapbench/clock',
    'topic write tapbench/terminals/+/commands/+',
    'topic write tapbench/simulators/+/commands/+',
    'topic write tapbench/terminals/+/reports/presence',
    'topic write tapbench/terminals/+/reports/machine-described',
    'topic write tapbench/+/clock',
    'topic write tapbench/+/terminals/+/commands/+',
    'topic write tapbench/+/simulators/+/commands/+',
    'topic write tapbench/+/terminals/+/reports/presence',
    'topic write tapbench/+/terminals/+/reports/machine-described',
    'topic read tapbench/terminals/+/reports/+',
    'topic read tapbench/simulators/+/reports/+',
    'topic read tapbench/+/terminals/+/reports/+',
    'topic read tapbench/+/simulators/+/reports/+',
    '',
    `user ${cast.till.username}`,
    'topic read tapbench/clock',
    '',
  ]);
  expect(text('tapbench.conf')).toContain('acl_file /etc/mosquitto/tapbench/tapbench.acl\n');
  expect(text('tapbench.conf')).toContain('set_tcp_nodelay true\n');
  expect(text('tapbench.conf')).toContain('use_username_as_clientid true\n');
});

test('external broker: nats-server has subjects in place of topics', () => {
  const [file] = brokerAcl('nats', { users, random });
  const line = file!.text.split('\n').find((each) => each.includes(cast.till.username))!;
  expect(JSON.parse(line.replace(/,$/, ''))).toEqual({
    user: cast.till.username,
    password: cast.till.password,
    allowed_connection_types: ['MQTT'],
    permissions: {
      publish: { allow: REPORTS.map((name) => `tapbench.terminals.${cast.till.username}.reports.${name}`) },
      subscribe: {
        allow: ['tapbench.clock', `tapbench.terminals.${cast.till.username}.commands.*`, '$MQTT.sub.>'],
      },
    },
  });
});

interface Definitions {
  users: { name: string; password_hash: string; hashing_algorithm: string }[];
  permissions: { user: string; vhost: string; configure: string; write: string; read: string }[];
  topic_permissions: { user: string; vhost: string; exchange: string; write: string; read: string }[];
}

test("external broker: RabbitMQ's routing keys allow what the rules allow", () => {
  const [file] = brokerAcl('rabbitmq', { users, random });
  const definitions = JSON.parse(file!.text) as Definitions;
  const tills = ['till', 'kiosk'].map((who) => cast[who as 'till'].username);
  const topics = [
    CLOCK_TOPIC,
    'tapbench/other',
    'tapbench/terminals/x/y/reports/presence',
    ...['terminals', 'simulators'].flatMap((audience) =>
      ['commands', 'reports'].flatMap((channel) =>
        [...tills, '+'].flatMap((terminalId) =>
          ['presence', 'action.start', 'simulated', 'undeclared', '+'].map((message) =>
            topicOf({ audience, terminalId, channel, message } as Parameters<typeof topicOf>[0]),
          ),
        ),
      ),
    ),
  ];
  for (const { username, principal } of users) {
    const rules = definitions.topic_permissions.find(({ user }) => user === username)!;
    expect(rules.exchange).toBe('amq.topic');
    for (const topic of topics) {
      const routingKey = topic.replaceAll('/', '.').replaceAll('+', '*');
      const label = `${username} ${topic}`;
      // A topic with a wildcard cannot be published, so what the expression says of it does not matter.
      if (!topic.includes('+')) {
        expect([label, new RegExp(rules.write).test(routingKey)]).toEqual([
          label,
          mayPublish(principal, topic),
        ]);
      }
      if (maySubscribe(principal, topic))
        expect([label, new RegExp(rules.read).test(routingKey)]).toEqual([label, true]);
    }
    const foreign = topicOf({
      audience: 'terminals',
      terminalId: 'tml_x',
      channel: 'commands',
      message: 'action.start',
    });
    expect(new RegExp(rules.read).test(foreign.replaceAll('/', '.'))).toBe(false);
  }
});

test('external broker: RabbitMQ gives a user the queues of its own client id only', () => {
  const [file] = brokerAcl('rabbitmq', { users, random });
  const { permissions } = JSON.parse(file!.text) as Definitions;
  const mayHave = (username: string, clientId: string) => {
    const { configure, write, read } = permissions.find(({ user }) => user === username)!;
    const queue = `mqtt-subscription-${clientId}qos1`;
    return [configure, write, read].map((rule) => new RegExp(rule).test(queue));
  };
  for (const { username, clientId } of Object.values(cast)) {
    expect(mayHave(username, clientId)).toEqual([true, true, true]);
    for (const other of Object.values(cast).filter((each) => each.username !== username)) {
      expect(mayHave(username, other.clientId)).toEqual([false, false, false]);
    }
  }
});

test('external broker: RabbitMQ has each password as salt and hash', () => {
  // RabbitMQ's documentation of password hashing: salt 908D C60A and "test12" make this.
  const salt: Random = { bytes: () => Buffer.from('908DC60A', 'hex') };
  const user: BrokerUser = { username: 'u', password: 'test12', principal: { kind: 'server' } };
  const [file] = brokerAcl('rabbitmq', { users: [user], random: salt });
  expect((JSON.parse(file!.text) as Definitions).users).toEqual([
    {
      name: 'u',
      password_hash: 'kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR',
      hashing_algorithm: 'rabbit_password_hashing_sha256',
      tags: [],
    },
  ]);
});

test('external broker: no file but that of nats-server has a password in plain text', () => {
  for (const kind of EXTERNAL_BROKERS) {
    const text = brokerAcl(kind, { users, random })
      .map((file) => file.text)
      .join('');
    const shown = users.filter(({ password }) => text.includes(password));
    expect(shown).toHaveLength(kind === 'nats' ? users.length : 0);
  }
});
