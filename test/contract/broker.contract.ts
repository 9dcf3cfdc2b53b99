import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connector, LinkCredentials } from '../../protocol/link.ts';
import { CLOCK_TOPIC, commandFilter, SERVER_FILTERS, topicOf, type Channel } from '../../protocol/topics.ts';
import {
  envelope,
  connectedPeer,
  peer,
  waitUntil,
  type LogLine,
  type Peer,
  type PeerOptions,
} from './peer.ts';

/** Who takes part: a server, two terminals that must not hear each other, a simulator. */
export interface BrokerUsers {
  server: LinkCredentials;
  till: LinkCredentials;
  kiosk: LinkCredentials;
  simulator: LinkCredentials;
}

export interface BrokerUnderTest {
  connect: Connector;
  cast: BrokerUsers;
  /** What the links log. */
  lines: LogLine[];
  stop(): Promise<void>;
}

/** What Tapbench needs of a broker, whoever made it. */
export function brokerContract(name: string, start: () => Promise<BrokerUnderTest>): void {
  describe(`broker contract: ${name}`, () => {
    let broker: BrokerUnderTest;
    let guests: Peer[];

    beforeEach(async () => {
      broker = await start();
      guests = [];
    });

    afterEach(async () => {
      await Promise.all(guests.map(({ link }) => link.close()));
      await broker.stop();
    });

    const join = async (who: keyof BrokerUsers, plan: Partial<PeerOptions> = {}): Promise<Peer> => {
      const guest = await connectedPeer(broker.connect, { credentials: broker.cast[who], ...plan });
      guests.push(guest);
      return guest;
    };
    const joinServer = () => join('server', { subscriptions: SERVER_FILTERS });
    const joinTerminal = (who: 'till' | 'kiosk', plan: Partial<PeerOptions> = {}) =>
      join(who, { subscriptions: [commandsOf(broker.cast[who]), CLOCK_TOPIC], ...plan });

    const refused = (what: string) =>
      broker.lines.filter((line) => line.reason?.startsWith(`${what} refused`));

    test('a command reaches its terminal and no other', async () => {
      const server = await joinServer();
      const till = await joinTerminal('till');
      const kiosk = await joinTerminal('kiosk');
      await server.link.publish(
        envelope(topic(broker.cast.till, 'commands', 'action.start'), 'for the till'),
      );
      await server.link.publish(
        envelope(topic(broker.cast.kiosk, 'commands', 'action.start'), 'for the kiosk'),
      );
      expect(await till.next()).toContain('for the till');
      expect(await kiosk.next()).toContain('for the kiosk');
      expect([...till.received, ...kiosk.received]).toEqual([]);
    });

    test('reports of one terminal reach the server in order', async () => {
      const server = await joinServer();
      const till = await joinTerminal('till');
      const reports = Array.from({ length: 50 }, (_, index) => `report ${index}`);
      await Promise.all(
        reports.map((text) =>
          till.link.publish(envelope(topic(broker.cast.till, 'reports', 'action.accepted'), text)),
        ),
      );
      for (const text of reports) expect(await server.next()).toContain(text);
    });

    test('presence is retained for a server that connects later', async () => {
      const till = await joinTerminal('till');
      await till.link.publish(envelope(topic(broker.cast.till, 'reports', 'presence'), 'here', true));
      const server = await joinServer();
      expect(await server.next()).toContain('here');
    });

    test('the server clears the presence that is retained for a terminal', async () => {
      const presence = topic(broker.cast.till, 'reports', 'presence');
      const till = await joinTerminal('till');
      const server = await joinServer();
      await till.link.publish(envelope(presence, 'here', true));
      expect(await server.next()).toContain('here');
      await server.link.publish(envelope(presence, '', true));
      expect(await server.next()).toBe(`${presence} `);
      await server.link.close();
      const kiosk = await joinTerminal('kiosk');
      await kiosk.link.publish(envelope(topic(broker.cast.kiosk, 'reports', 'presence'), 'also here', true));
      const next = await joinServer();
      expect(await next.next()).toContain('also here');
      expect(next.received).toEqual([]);
    });

    test('the clock is retained for terminals and simulators that connect later', async () => {
      const server = await joinServer();
      await server.link.publish(envelope(CLOCK_TOPIC, 'ten past', true));
      const till = await joinTerminal('till');
      const simulator = await join('simulator', { subscriptions: [CLOCK_TOPIC] });
      expect(await till.next()).toBe(`${CLOCK_TOPIC} ten past`);
      expect(await simulator.next()).toBe(`${CLOCK_TOPIC} ten past`);
    });

    test('the last will is published when the connection is lost, and removed by a disconnect', async () => {
      const server = await joinServer();
      const will = envelope(topic(broker.cast.till, 'reports', 'presence'), 'gone', true);
      const till = await joinTerminal('till', { will });
      till.link.drop();
      expect(await server.next()).toContain('gone');

      const kioskWill = envelope(topic(broker.cast.kiosk, 'reports', 'presence'), 'gone', true);
      const kiosk = await joinTerminal('kiosk', { will: kioskWill });
      await kiosk.link.close();
      till.link.open();
      await waitUntil('the till to be back', () => till.link.online);
      await till.link.publish(envelope(topic(broker.cast.till, 'reports', 'presence'), 'back', true));
      expect(await server.next()).toContain('back');
      expect(server.received).toEqual([]);
    });

    test('a terminal that publishes as another is ignored, and stays connected', async () => {
      const server = await joinServer();
      const till = await joinTerminal('till');
      await till.link.publish(envelope(topic(broker.cast.kiosk, 'reports', 'presence'), 'I am the kiosk'));
      await till.link.publish(
        envelope(topic(broker.cast.kiosk, 'commands', 'action.cancel'), 'I am the server'),
      );
      await till.link.publish(envelope(CLOCK_TOPIC, 'it is tomorrow', true));
      await till.link.publish(envelope(topic(broker.cast.till, 'reports', 'presence'), 'I am the till'));
      expect(await server.next()).toContain('I am the till');
      expect(server.received).toEqual([]);
      expect(till.history).toEqual(['online']);
      const kiosk = await joinTerminal('kiosk');
      await server.link.publish(
        envelope(topic(broker.cast.kiosk, 'commands', 'action.start'), 'I am the server'),
      );
      expect(await kiosk.next()).toContain('action-start');
    });

    test('a last will that publishes as another is ignored', async () => {
      const server = await joinServer();
      const will = envelope(topic(broker.cast.kiosk, 'reports', 'presence'), 'the kiosk is gone', true);
      const till = await joinTerminal('till', { will });
      till.link.drop();
      till.link.open();
      await waitUntil('the till to be back', () => till.link.online);
      await till.link.publish(envelope(topic(broker.cast.till, 'reports', 'presence'), 'I am back'));
      expect(await server.next()).toContain('I am back');
      expect(server.received).toEqual([]);
    });

    test('a terminal that subscribes to another receives nothing', async () => {
      const server = await joinServer();
      const till = await joinTerminal('till');
      const curious = peer(broker.connect, {
        credentials: { ...broker.cast.kiosk },
        subscriptions: [commandsOf(broker.cast.kiosk), commandsOf(broker.cast.till)],
      });
      guests.push(curious);
      // Some brokers refuse the subscription, others grant it and deliver nothing.
      await waitUntil(
        'an answer to the subscription',
        () => curious.link.online || refused('subscription').length > 0,
      );
      const own = envelope(topic(broker.cast.kiosk, 'commands', 'action.start'), 'for the kiosk');
      for (let round = 0; round < 20; round++) {
        await server.link.publish(
          envelope(topic(broker.cast.till, 'commands', 'action.start'), 'for the till'),
        );
        expect(await till.next()).toContain('for the till');
        await server.link.publish(own);
      }
      expect(curious.received.filter((text) => text.includes('for the till'))).toEqual([]);
    });

    test('a simulator may use its own half of the topics only', async () => {
      const server = await joinServer();
      const { cast } = broker;
      const simulator = await join('simulator', {
        subscriptions: [commandFilter('simulators', cast.till.username)],
      });
      const ask = { audience: 'simulators', terminalId: cast.till.username } as const;
      await server.link.publish(
        envelope(topicOf({ ...ask, channel: 'commands', message: 'simulate' }), 'tap'),
      );
      expect(await simulator.next()).toContain('tap');
      await simulator.link.publish(envelope(topic(cast.till, 'reports', 'presence'), 'I am the till'));
      await simulator.link.publish(
        envelope(topicOf({ ...ask, channel: 'reports', message: 'simulated' }), 'tapped'),
      );
      expect(await server.next()).toContain('tapped');
      expect(server.received).toEqual([]);
    });

    test('a wrong password or an unknown name is refused', async () => {
      const strangers = [
        { ...broker.cast.till, password: 'guess' },
        { clientId: 'stranger', username: 'stranger', password: broker.cast.till.password },
        { ...broker.cast.server, clientId: 'imposter', password: 'guess' },
      ].map((credentials) => peer(broker.connect, { credentials }));
      guests.push(...strangers);
      for (const { clientId } of [broker.cast.till, { clientId: 'stranger' }, { clientId: 'imposter' }]) {
        await waitUntil(`${clientId} to be refused`, () =>
          refused('Connection').some((line) => line.clientId === clientId),
        );
      }
      expect(strangers.flatMap(({ history }) => history)).toEqual([]);
    });

    test('a second connection of a client replaces the first', async () => {
      const server = await joinServer();
      // A first that reconnected would replace the second in turn.
      const first = await joinTerminal('till', { closesWhenCut: true });
      const second = await joinTerminal('till');
      await waitUntil('the first to be cut', () => first.history.includes('offline'));
      await server.link.publish(envelope(topic(broker.cast.till, 'commands', 'action.start'), 'once'));
      expect(await second.next()).toContain('once');
      expect(second.received).toEqual([]);
    });
  });
}

/** What Tapbench uses of a broker that can hold a client to a client id of its own; nats-server cannot. */
export function clientIdContract(name: string, start: () => Promise<BrokerUnderTest>): void {
  test(`${name}: a terminal with the client id of another does not replace it`, async () => {
    const { cast, connect, lines, stop } = await start();
    const server = await connectedPeer(connect, { credentials: cast.server });
    const till = await connectedPeer(connect, {
      credentials: cast.till,
      subscriptions: [commandsOf(cast.till)],
    });
    const credentials = { ...cast.kiosk, clientId: cast.till.clientId };
    const thief = peer(connect, { credentials });
    await waitUntil('the thief to be refused, or to be known by its own name', () => {
      return thief.link.online || lines.some(({ reason }) => reason?.startsWith('Connection refused'));
    });
    await server.link.publish(envelope(topic(cast.till, 'commands', 'action.start'), 'still mine'));
    expect(await till.next()).toContain('still mine');
    expect(till.history).toEqual(['online']);
    await Promise.all([thief, till, server].map(({ link }) => link.close()));
    await stop();
  });
}

function commandsOf({ username }: LinkCredentials): string {
  return commandFilter('terminals', username);
}

function topic({ username }: LinkCredentials, channel: Channel, message: string): string {
  return topicOf({ audience: 'terminals', terminalId: username, channel, message });
}
