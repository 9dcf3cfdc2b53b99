import { expect, test } from 'vitest';
import { inSandbox, type Link, type LinkOptions } from '../../protocol/link.ts';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import {
  deniedTopic,
  isSandboxName,
  parseTopic,
  parseUser,
  topicIn,
  topicOf,
  topicWithin,
  userIn,
} from '../../protocol/topics.ts';

const TILL = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA';

test('topicOf: every message has a valid topic that parseTopic reads back', () => {
  for (const { audience, channel, name } of ALL_MESSAGES) {
    const parts = { audience, terminalId: TILL, channel, message: name };
    expect(parseTopic(topicOf(parts))).toEqual(parts);
    expect(topicOf(parts)).toMatch(/^[A-Za-z0-9_/-]+$/);
  }
});

test('topicOf: message names have no hyphens, so that topics are unambiguous', () => {
  for (const { name } of ALL_MESSAGES) expect(name).toMatch(/^[a-z]+(\.[a-z]+)*$/);
  expect(new Set(ALL_MESSAGES.map(({ name }) => name)).size).toBe(ALL_MESSAGES.length);
});

test('deniedTopic: is short, shallow and without wildcards for any topic', () => {
  expect(deniedTopic('till', 'tapbench/clock')).toBe('$denied/till/tapbench/clock');
  const worst = deniedTopic('a/b/#'.repeat(1_000), '+/#/'.repeat(20_000));
  expect(worst).not.toMatch(/[+#]/);
  expect(worst.length).toBeLessThan(300);
  expect(worst.split('/').length).toBeLessThan(20);
});

const TOPIC = 'tapbench/terminals/tml_1/reports/presence';

test.each(['ci', 'a', 'branch-12', '7', 'default', 'x'.repeat(40)])('isSandboxName: accepts %s', (name) => {
  expect(isSandboxName(name)).toBe(true);
});

test.each(['', 'CI', 'a b', 'a/b', 'a.b', 'ä', '+', '#', 'terminals', 'simulators', 'clock', 'x'.repeat(41)])(
  'isSandboxName: refuses "%s"',
  (name) => {
    expect(isSandboxName(name)).toBe(false);
  },
);

test('topicIn: adds the level of a sandbox, none for the default one and for other topics', () => {
  expect(topicIn('ci', TOPIC)).toBe('tapbench/ci/terminals/tml_1/reports/presence');
  expect(topicIn('default', TOPIC)).toBe(TOPIC);
  expect(topicIn('ci', '$denied/#')).toBe('$denied/#');
});

test('topicWithin: removes the level of the sandbox, and finds no topic of another', () => {
  expect(topicWithin('ci', topicIn('ci', TOPIC))).toBe(TOPIC);
  expect(topicWithin('default', TOPIC)).toBe(TOPIC);
  expect(topicWithin('ci', TOPIC)).toBeUndefined();
  expect(topicWithin('ci', topicIn('cii', TOPIC))).toBeUndefined();
});

test('userIn and parseUser: a user name has its sandbox after the id, the default one has none', () => {
  expect(userIn('ci', 'tml_1')).toBe('tml_1@ci');
  expect(userIn('default', 'tml_1')).toBe('tml_1');
  expect(parseUser('tml_1@ci')).toEqual({ id: 'tml_1', sandbox: 'ci' });
  expect(parseUser('tml_1')).toEqual({ id: 'tml_1', sandbox: 'default' });
  expect(parseUser('server@example.com')).toEqual({ id: 'server@example.com', sandbox: 'default' });
});

test('inSandbox: a link uses the topics of the sandbox, and its caller those of the tree', async () => {
  const published: string[] = [];
  const received: string[] = [];
  let opened: LinkOptions | undefined;
  const link = { publish: async ({ topic }) => void published.push(topic) } as Partial<Link> as Link;
  const connect = inSandbox((options) => {
    opened = options;
    return link;
  }, 'ci');
  const envelope = { topic: TOPIC, payload: Buffer.from('{}'), qos: 1, retain: true } as const;
  const inCi = connect({
    credentials: { clientId: 'c', username: 'u', password: 'p' },
    subscriptions: ['tapbench/clock'],
    will: envelope,
    handlers: { online() {}, offline() {}, message: (topic) => void received.push(topic) },
  });
  await inCi.publish(envelope);
  opened?.handlers.message('tapbench/ci/clock', Buffer.from('{}'));

  expect(opened).toMatchObject({
    subscriptions: ['tapbench/ci/clock'],
    will: { topic: 'tapbench/ci/terminals/tml_1/reports/presence' },
  });
  expect(published).toEqual(['tapbench/ci/terminals/tml_1/reports/presence']);
  expect(received).toEqual(['tapbench/clock']);
});
