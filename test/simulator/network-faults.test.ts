import { expect, test } from 'vitest';
import type { Connector, Link } from '../../protocol/link.ts';
import { withNetworkFaults, type NetworkFaults } from '../../simulator/network-faults.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { memoryBroker } from './memory-broker.ts';

const START_MS = Date.UTC(2026, 0, 5);
const CALM: NetworkFaults = {
  upMs: { min: 1e9, max: 1e9 },
  downMs: { min: 0, max: 0 },
  lossRate: 0,
  repeatRate: 0,
  delayMs: { min: 0, max: 0 },
};

/** A link with faults that hears what it says itself. */
function echo(seed: string, faults?: Partial<NetworkFaults>, clientId = 'tml_1') {
  const clock = new VirtualClock(START_MS);
  const broker = memoryBroker();
  const log: string[] = [];
  const note = (what: string) => log.push(`${clock.nowMs() - START_MS} ${what}`);
  const connect = withNetworkFaults(broker.connect, {
    clock,
    seed,
    faults: faults && { ...CALM, ...faults },
  });
  const link: Link = connect({
    credentials: { clientId, username: clientId, password: '' },
    subscriptions: ['echo/+'],
    handlers: {
      online: () => void note('online'),
      offline: () => void note('offline'),
      message: (_topic, payload) => void note(Buffer.from(payload).toString()),
    },
  });
  const say = (text: string, qos: 0 | 1 = 1) =>
    link.publish({ topic: 'echo/said', payload: Buffer.from(text), qos, retain: false });
  return { clock, broker, link, log, say };
}

async function history(seed: string, clientId?: string): Promise<string[]> {
  const { clock, link, log, say } = echo(seed, undefined, clientId);
  link.open();
  await clock.advance(0);
  for (let count = 0; count < 200; count++) {
    say(`message ${count}`, count % 2 === 0 ? 0 : 1).catch(() => {});
    await clock.advance(1000);
  }
  return log;
}

test('withFaults: passes on that the broker refuses the credentials', () => {
  const refused: string[] = [];
  const refusing: Connector = ({ handlers }) => ({
    online: false,
    open: () => handlers.refused?.('bad user name or password'),
    publish: () => Promise.reject(new Error('never online')),
    close: async () => {},
    drop: () => {},
  });
  const link = withNetworkFaults(refusing, { clock: new VirtualClock(START_MS), seed: 'storm' })({
    credentials: { clientId: 'tml_1', username: 'tml_1', password: '' },
    subscriptions: [],
    handlers: {
      online: () => {},
      offline: () => {},
      message: () => {},
      refused: (reason) => void refused.push(reason),
    },
  });
  link.open();
  expect(refused).toEqual(['bad user name or password']);
});

test('withNetworkFaults: the same seed gives the same faults, another seed or client others', async () => {
  const first = await history('storm');

  expect(first.filter((line) => line.endsWith('offline')).length).toBeGreaterThan(3);
  expect(await history('storm')).toEqual(first);
  expect(await history('breeze')).not.toEqual(first);
  expect(await history('storm', 'tml_2')).not.toEqual(first);
});

test('withNetworkFaults: a link disconnects, stays down, and reconnects', async () => {
  const { clock, link, log, say } = echo('seed', {
    upMs: { min: 5000, max: 5000 },
    downMs: { min: 700, max: 700 },
  });
  link.open();
  await clock.advance(5300);
  expect(link.online).toBe(false);
  await expect(say('too late')).rejects.toMatchObject({ code: 'transport' });
  link.open();
  await clock.advance(5700);

  expect(log).toEqual(['0 online', '5000 offline', '5700 online', '10700 offline']);
});

test('withNetworkFaults: a pending message is lost when the link drops, and its publish rejects', async () => {
  const { clock, link, log, say } = echo('seed', {
    upMs: { min: 100, max: 100 },
    delayMs: { min: 500, max: 500 },
  });
  link.open();
  await clock.advance(0);
  const said = say('lost').catch((thrown: unknown) => thrown);
  await clock.advance(100);
  expect(await said).toMatchObject({ code: 'transport' });

  expect(log.join()).not.toContain('lost');
});

test('withNetworkFaults: delayed messages keep their order', async () => {
  const { clock, link, log, say } = echo('seed', { delayMs: { min: 0, max: 400 } });
  link.open();
  await clock.advance(0);
  const said: Promise<void>[] = [];
  for (let count = 0; count < 20; count++) {
    said.push(say(String(count)));
    await clock.advance(20);
  }
  await clock.advance(60_000);
  await Promise.all(said);

  const heard = log.slice(1).map((line) => line.split(' '));
  expect(heard.map(([, text]) => Number(text))).toEqual(Array.from({ length: 20 }, (_, count) => count));
  expect(new Set(heard.map(([atMs]) => Number(atMs) % 20)).size, 'off the beat').toBeGreaterThan(3);
});

test('withNetworkFaults: loses only QoS 0 and repeats only QoS 1', async () => {
  const { clock, link, log, say } = echo('seed', { lossRate: 1 });
  link.open();
  await clock.advance(0);
  await Promise.all([say('light', 0), say('heavy', 1), clock.advance(10)]);
  expect(log.slice(1)).toEqual(['0 heavy']);

  const doubling = echo('seed', { repeatRate: 1 });
  doubling.link.open();
  await doubling.clock.advance(0);
  await Promise.all([doubling.say('heavy', 1), doubling.clock.advance(10)]);
  expect(doubling.broker.published, 'twice on the way there').toHaveLength(2);
  expect(
    doubling.log.filter((line) => line.endsWith('heavy')),
    'and each twice on the way back',
  ).toHaveLength(4);
});

test('withNetworkFaults: a closed or dropped link stays offline', async () => {
  for (const goodbye of ['close', 'drop'] as const) {
    const { clock, link, log } = echo('seed', {
      upMs: { min: 5000, max: 5000 },
      downMs: { min: 700, max: 700 },
    });
    link.open();
    await clock.advance(5100);
    await link[goodbye]();
    await clock.advance(60_000);
    expect(log).toEqual(['0 online', '5000 offline']);
    expect(clock.due).toEqual([]);

    link.open();
    await clock.advance(100);
    expect(link.online).toBe(true);
    await link[goodbye]();
    expect(link.online).toBe(false);
    expect(clock.due).toEqual([]);
  }
});
