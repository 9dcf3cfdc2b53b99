import { beforeEach, expect, test } from 'vitest';
import { inSandbox, type Link } from '../../../../protocol/link.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { encode, encodeClock } from '../../../../protocol/message.ts';
import { Presence, RequestPresence } from '../../../../protocol/messages/presence.messages.ts';
import { topicIn } from '../../../../protocol/topics.ts';
import { shareConnection } from '../../../../server/platform/broker/shared-connection.ts';
import { memoryBroker } from '../../../simulator/memory-broker.ts';

const SERVER = { clientId: 'server-1', username: 'server', password: 'x' };

let broker: ReturnType<typeof memoryBroker>;
let shared: ReturnType<typeof shareConnection>;
beforeEach(() => {
  broker = memoryBroker();
  shared = shareConnection({ connect: broker.connect, credentials: SERVER, log: silentLog });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Opens the link of a sandbox, and returns it with what its handlers were called with. */
async function opened(sandbox: string): Promise<{ link: Link; calls: string[] }> {
  const calls: string[] = [];
  const link = inSandbox(
    shared.connectorOf(sandbox),
    sandbox,
  )({
    credentials: SERVER,
    subscriptions: [],
    handlers: {
      online: () => calls.push('online'),
      offline: () => calls.push('offline'),
      message: (topic) => calls.push(topic),
    },
  });
  link.open();
  await settled();
  return { link, calls };
}

/** Publishes the presence of a terminal, as the terminal does. */
async function report(sandbox: string, terminalId: string): Promise<void> {
  const device = broker.connect({
    credentials: { ...SERVER, clientId: terminalId },
    subscriptions: [],
    handlers: { online() {}, offline() {}, message() {} },
  });
  device.open();
  await settled();
  const envelope = encode(Presence, terminalId, { online: true });
  await device.publish({ ...envelope, topic: topicIn(sandbox, envelope.topic) });
  await settled();
  await device.close();
}

test('shared connection: the sandboxes of a server have one connection, which ends with the last of them', async () => {
  const main = await opened('default');
  const ci = await opened('ci');
  expect(broker.online).toEqual(['server-1']);
  await main.link.close();
  expect(broker.online).toEqual(['server-1']);
  await ci.link.close();
  expect(broker.online).toEqual([]);
  expect([main.calls, ci.calls]).toEqual([
    ['online', 'offline'],
    ['online', 'offline'],
  ]);
});

test('shared connection: a sandbox receives the reports of its own terminals', async () => {
  const main = await opened('default');
  const ci = await opened('ci');
  await report('ci', 'tml_1');
  await report('default', 'tml_2');
  expect(main.calls).toEqual(['online', 'tapbench/terminals/tml_2/reports/presence']);
  expect(ci.calls).toEqual(['online', 'tapbench/terminals/tml_1/reports/presence']);
});

test('shared connection: a sandbox that is opened later receives what its terminals reported last', async () => {
  await opened('default');
  await report('ci', 'tml_1');
  const ci = await opened('ci');
  const next = await opened('next');
  expect(ci.calls).toEqual(['online', 'tapbench/terminals/tml_1/reports/presence']);
  expect(next.calls).toEqual(['online']);
});

test('shared connection: the link of a sandbox publishes while it is open', async () => {
  await opened('default');
  const ci = await opened('ci');
  const publish = () => ci.link.publish(encodeClock({ offsetMs: 60_000 }));
  await publish();
  expect(broker.published.map(({ topic }) => topic)).toEqual(['tapbench/ci/clock']);
  await ci.link.close();
  await expect(publish()).rejects.toThrow('not connected to the broker');
  ci.link.open();
  await settled();
  await publish();
  expect(ci.calls).toEqual(['online', 'offline', 'online']);
});

test('shared connection: of a sandbox that is deleted the broker retains nothing, and the next of its name gets no report', async () => {
  await opened('default');
  const ci = await opened('ci');
  await ci.link.publish(encodeClock({ offsetMs: 60_000 }));
  await report('ci', 'tml_1');
  await report('other', 'tml_2');
  await ci.link.close();
  const before = broker.published.length;
  shared.removeSandbox('ci');
  expect(
    broker.published.slice(before).map(({ topic, payload, retain }) => [topic, payload.length, retain]),
  ).toEqual([
    ['tapbench/ci/clock', 0, true],
    ['tapbench/ci/terminals/tml_1/reports/presence', 0, true],
  ]);
  expect((await opened('ci')).calls).toEqual(['online']);
});

test('shared connection: a presence that the broker sends again, for another subscription, is passed on once', async () => {
  const { calls } = await opened('ci');
  await report('ci', 'tml_1');
  await report('ci', 'tml_1');
  await report('ci', 'tml_2');
  const presence = (id: string) => `tapbench/terminals/${id}/reports/presence`;
  expect(calls).toEqual(['online', presence('tml_1'), presence('tml_2')]);
});

test('shared connection: what a terminal answers to a request is passed on, also when it has said so before', async () => {
  const { calls, link } = await opened('ci');
  await report('ci', 'tml_1');
  await link.publish(encode(RequestPresence, 'tml_1', {}));
  await report('ci', 'tml_1');
  const presence = 'tapbench/terminals/tml_1/reports/presence';
  expect(calls).toEqual(['online', presence, presence]);
});

test('shared connection: a cleared report is no report', async () => {
  const { calls } = await opened('ci');
  await report('ci', 'tml_1');
  shared.removeSandbox('ci');
  await settled();
  expect(calls).toEqual(['online', 'tapbench/terminals/tml_1/reports/presence']);
});
