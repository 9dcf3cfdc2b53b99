import { expect, test } from 'vitest';
import { createLog } from '../../protocol/log.ts';
import { encode } from '../../protocol/message.ts';
import { Simulate, type SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { createControlLink } from '../../simulator/control-link.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { fakeServer, terminalIdOf } from './fake-server.ts';

const MINE = terminalIdOf(1);
const OUTCOME = {
  ok: true,
  terminal: { power: 'on' as const, network: 'on' as const, paperSheets: 1000, screen: ['Ready'] },
};

async function setUp() {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5));
  const server = fakeServer(clock);
  const done: SimulationAct[] = [];
  const lines: string[] = [];
  const link = createControlLink({
    credentials: { clientId: 'sim_1', username: 'sim_1', password: 'hush-hush' },
    connect: server.broker.connect,
    log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    perform(terminalId, act) {
      if (terminalId !== MINE) return undefined;
      done.push(act);
      return OUTCOME;
    },
  });
  link.open();
  await clock.advance(0);
  return { clock, server, link, done, lines };
}

test('control link: performs an act and replies with the id of its request', async () => {
  const { clock, server, done } = await setUp();
  server.simulate(MINE, { act: 'remove-card' }, 'r1');
  await clock.advance(0);

  expect(done).toEqual([{ act: 'remove-card' }]);
  expect(server.answers).toEqual([{ requestId: 'r1', ...OUTCOME }]);
});

test('control link: a repeated request is answered again and performed once', async () => {
  const { clock, server, done } = await setUp();
  for (const requestId of ['r1', 'r1', 'r2', 'r1']) {
    server.simulate(MINE, { act: 'press-keys', keys: ['1'] }, requestId);
    await clock.advance(0);
  }

  expect(done).toHaveLength(2);
  expect(server.answers.map(({ requestId }) => requestId)).toEqual(['r1', 'r1', 'r2', 'r1']);
});

test('control link: ignores a request for a terminal that another program simulates', async () => {
  const { clock, server, done } = await setUp();
  server.simulate(terminalIdOf(2), { act: 'remove-card' });
  await clock.advance(0);

  expect(done).toEqual([]);
  expect(server.answers).toEqual([]);
});

test('control link: logs and drops malformed messages, and performs the next request', async () => {
  const { clock, server, done, lines } = await setUp();
  const { topic } = encode(Simulate, MINE, { requestId: 'r', act: { act: 'remove-card' } });
  const garbage = ['not json', '{}', '{"requestId":"r9","act":{"act":"explode"}}', 'null'];
  const intruder = server.broker.connect({
    credentials: { clientId: 'intruder', username: '', password: '' },
    subscriptions: [],
    handlers: { online: () => {}, offline: () => {}, message: () => {} },
  });
  intruder.open();
  await clock.advance(0);
  for (const text of garbage) {
    await intruder.publish({ topic, payload: Buffer.from(text), qos: 1, retain: false });
  }
  await intruder.publish({
    topic: topic.replace('simulate', 'other'),
    payload: Buffer.from('?'),
    qos: 1,
    retain: false,
  });
  server.simulate(MINE, { act: 'remove-card' }, 'r1');
  await clock.advance(0);

  expect(lines).toHaveLength(garbage.length);
  expect(done).toHaveLength(1);
  expect(server.answers).toHaveLength(1);
});

test('control link: forgets old replies, so that memory stays bounded', async () => {
  const { clock, server, done } = await setUp();
  for (let count = 0; count < 1000; count++) server.simulate(MINE, { act: 'remove-card' }, `r${count}`);
  await clock.advance(0);
  server.simulate(MINE, { act: 'remove-card' }, 'r999');
  server.simulate(MINE, { act: 'remove-card' }, 'r0');
  await clock.advance(0);

  expect(done, 'r999 was known, r0 was not').toHaveLength(1001);
});
