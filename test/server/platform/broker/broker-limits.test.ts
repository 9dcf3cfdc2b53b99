import { expect, onTestFinished, test } from 'vitest';
import {
  commandFilter,
  DENIED_FILTER,
  SERVER_FILTERS,
  topicOf,
  type Audience,
} from '../../../../protocol/topics.ts';
import type { BrokerLimits } from '../../../../server/platform/broker/broker.ts';
import { connectedPeer, waitUntil } from '../../../contract/peer.ts';
import { embeddedBroker } from './embedded-broker.ts';
import { packets, rawClient } from './raw-client.ts';

const CONNACK_ACCEPTED = '20020000';
const BIG = 'x'.repeat(60_000);

async function world(limits?: Partial<BrokerLimits>) {
  const made = await embeddedBroker({ ...(limits && { limits }) });
  onTestFinished(() => made.broker.close());
  const { broker, cast, connect } = made;
  const client = async (who: 'till' | 'simulator') => {
    const stream = broker.openStream();
    const raw = rawClient(stream);
    raw.send(packets.connect(cast[who]));
    await raw.answer(CONNACK_ACCEPTED);
    return { ...raw, cut: () => stream.destroy() };
  };
  const report = (name: string) => topicAt('terminals', cast.till.username, name);
  const server = (...more: string[]) =>
    connectedPeer(connect, { credentials: cast.server, subscriptions: [...SERVER_FILTERS, ...more] });
  return { ...made, client, report, server };
}

function topicAt(audience: Audience, terminalId: string, message: string): string {
  return topicOf({ audience, terminalId, channel: 'reports', message });
}

/** The acknowledgements of publishes at QoS 1 with the ids 1 to `count`. */
function pubacks(count: number): string {
  return Array.from({ length: count }, (_, at) => `4002${(at + 1).toString(16).padStart(4, '0')}`).join('');
}

test('broker limits: a terminal that retains messages on undeclared topics leaves none in memory', async () => {
  const { client, report, server, lines } = await world();
  const till = await client('till');
  for (let id = 1; id <= 300; id++) till.send(packets.publish(id, report(`undeclared.n${id}`), BIG, true));
  await till.answer(pubacks(300));
  till.send(packets.publish(301, report('presence'), 'here', true));
  await till.answer('4002012d');
  till.cut();
  const later = await server(DENIED_FILTER);
  expect(await later.next()).toBe(`${report('presence')} here`);
  expect(later.received).toEqual([]);
  const denials = lines.filter(({ msg }) => msg.includes('denied'));
  expect(denials[0]).toMatchObject({ problem: 'not a topic, or no declared message, of this user' });
  expect(denials).toHaveLength(100);
  expect(lines.at(-1)).not.toMatchObject({ msg: 'publish denied' });
  await later.link.close();
});

test('broker limits: of a discarded message the first kilobyte is kept', async () => {
  const { client, report, server } = await world();
  const listener = await server(DENIED_FILTER);
  const till = await client('till');
  till.send(packets.publish(1, report('undeclared'), BIG));
  const aside = await listener.next();
  expect(aside.slice(aside.indexOf(' ') + 1)).toHaveLength(1_024);
  await listener.link.close();
});

test('broker limits: retained messages of a terminal are limited in bytes, its last will included', async () => {
  const { client, report, server, lines, cast, broker } = await world({ retainedBytes: 1_000 });
  const till = await client('till');
  till.send(packets.publish(1, report('presence'), 'p'.repeat(500), true));
  till.send(packets.publish(2, report('machine.described'), 'm'.repeat(800), true));
  till.send(packets.publish(3, report('presence'), 'here', true));
  till.send(packets.publish(4, report('machine.described'), 'm'.repeat(800), true));
  await till.answer(pubacks(4));
  expect(lines.filter(({ msg }) => msg === 'publish denied')).toMatchObject([
    { topic: report('machine.described'), problem: 'too many bytes retained' },
  ]);
  till.cut();
  const dying = broker.openStream();
  const again = rawClient(dying);
  again.send(
    packets.connect({ ...cast.till, will: { topic: report('presence'), payload: 'w'.repeat(900) } }),
  );
  await again.answer(CONNACK_ACCEPTED);
  dying.destroy();
  await waitUntil(
    'the will to be denied',
    () => lines.filter(({ msg }) => msg === 'publish denied').length > 1,
  );
  const later = await server();
  const kept = [await later.next(), await later.next()].sort();
  expect(kept).toEqual([`${report('machine.described')} ${'m'.repeat(800)}`, `${report('presence')} here`]);
  await later.link.close();
});

test('broker limits: a report at QoS 2, or retained without being declared so, is discarded and acknowledged', async () => {
  const { client, report, server, lines } = await world();
  const listener = await server(DENIED_FILTER);
  const till = await client('till');
  till.send(packets.publish(1, report('action.accepted'), 'for ever', true));
  await till.answer('40020001');
  till.send(packets.publish(2, report('action.accepted'), 'twice', false, 2));
  await till.answer('50020002'); // PUBREC
  till.send(packets.publish(3, report('action.accepted'), 'as declared'));
  await till.answer('40020003');
  const heard = [await listener.next(), await listener.next(), await listener.next()].sort();
  expect(heard).toEqual([
    expect.stringMatching(/^\$denied\/.* for ever$/),
    expect.stringMatching(/^\$denied\/.* twice$/),
    `${report('action.accepted')} as declared`,
  ]);
  expect(lines.flatMap(({ problem }) => problem ?? [])).toEqual([
    'this message is not retained',
    'QoS 2 is not used',
  ]);
  await listener.link.close();
});

test('broker limits: a simulator publishes its own cards and declared messages only', async () => {
  const { client, server, cast } = await world();
  const listener = await server();
  const simulator = await client('simulator');
  const offers = (id: string) => topicAt('simulators', id, 'cards.offered');
  simulator.send(packets.publish(1, offers('sim_another'), BIG));
  simulator.send(packets.publish(2, topicAt('simulators', cast.till.username, 'undeclared'), BIG, true));
  simulator.send(packets.publish(3, offers(cast.simulator.username), 'cards'));
  await simulator.answer(pubacks(3));
  expect(await listener.next()).toBe(`${offers(cast.simulator.username)} cards`);
  expect(listener.received).toEqual([]);
  await listener.link.close();
});

test('broker limits: a connection has a limited number of subscriptions, each for a terminal or for all', async () => {
  const { client, cast, lines } = await world({ subscriptions: 2 });
  const simulator = await client('simulator');
  const to = (id: string) => commandFilter('simulators', id);
  simulator.send(
    packets.subscribe(1, to('anything'), to(cast.till.username), to(cast.kiosk.username), to('+')),
  );
  await simulator.answer('9006000180010180');
  simulator.send(packets.unsubscribe(2, to(cast.kiosk.username)));
  await simulator.answer('b0020002');
  simulator.send(packets.subscribe(3, to('+')));
  await simulator.answer('9003000301');
  expect(lines.flatMap(({ problem }) => problem ?? [])).toEqual([
    'not a filter of this user',
    'too many subscriptions',
  ]);
});

test('broker limits: a removed terminal is disconnected at once, and its retained messages are deleted', async () => {
  const { broker, cast, report, server, lines } = await world();
  const stream = broker.openStream();
  const till = rawClient(stream);
  till.send(packets.connect({ ...cast.till, will: { topic: report('presence'), payload: 'gone' } }));
  await till.answer(CONNACK_ACCEPTED);
  till.send(packets.publish(1, report('presence'), 'here', true));
  till.send(packets.publish(2, report('machine.described'), 'a machine', true));
  await till.answer(pubacks(2));
  broker.remove(cast.till.username);
  await till.ended();
  await waitUntil('its last will', () => lines.some(({ problem }) => problem === 'the terminal was deleted'));
  const later = await server();
  expect(later.received).toEqual([]);
  await later.link.close();
});

test('broker limits: credentials revoked while they are checked open no connection', async () => {
  const { createBroker } = await import('../../../../server/platform/broker/broker.ts');
  const { log, cast } = await embeddedBroker();
  let admit = () => {};
  const broker = await createBroker({
    log,
    authenticate: (username) =>
      new Promise((resolve) => (admit = () => resolve({ kind: 'terminal', terminalId: username }))),
  });
  onTestFinished(() => broker.close());
  let asked = false;
  const before = admit;
  const till = rawClient(broker.openStream());
  till.send(packets.connect(cast.till));
  await waitUntil('the credentials to be looked at', () => (asked ||= admit !== before));
  broker.disconnect(cast.till.username);
  admit();
  await till.ended();
});
