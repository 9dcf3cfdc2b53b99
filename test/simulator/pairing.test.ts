import { expect, test } from 'vitest';
import { seededRandom } from '../../protocol/ids.ts';
import { createLog } from '../../protocol/log.ts';
import { createPairing, type SandboxApi } from '../../simulator/pairing.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

const CREDENTIALS = { clientId: 'tml_1', username: 'tml_1', password: 'hush-hush' };

function setUp(answers: (() => Awaited<ReturnType<SandboxApi['request']>>)[]) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5));
  const asked: string[] = [];
  const lines: string[] = [];
  const api: SandboxApi = {
    async request(method, path) {
      asked.push(`${method} ${path}`);
      return answers[Math.min(asked.length, answers.length) - 1]!();
    },
  };
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const pairing = createPairing({ api, clock, random: seededRandom('pairing'), log });
  return { clock, asked, lines, pairing, leave: new AbortController() };
}

const refuse = () => {
  throw new Error('connect ECONNREFUSED');
};

test('createPairing: retries with growing delays until the server replies', async () => {
  const answers = [refuse, () => ({ status: 503, body: null }), () => ({ status: 200, body: CREDENTIALS })];
  const { clock, asked, lines, pairing, leave } = setUp(answers);
  const paired = pairing.pair('/pairing/terminals/tml_1', leave.signal);
  await clock.advance(2000);

  expect(await paired).toEqual(CREDENTIALS);
  expect(asked).toEqual(Array(3).fill('POST /pairing/terminals/tml_1'));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('ECONNREFUSED');
  expect(lines[1]).toContain('503');
  expect(lines.join()).not.toContain('hush-hush');
});

test('createPairing: returns a terminal keys with its credentials and does not log them', async () => {
  const keys = {
    scheme: 'AES',
    initialKeyId: '1234567890123456',
    initialKey: '1273671EA26AC29AFA4D1084127652A1',
  };
  const answers = [() => ({ status: 200, body: { ...CREDENTIALS, keys, more: 1 } })];
  const { lines, pairing, leave } = setUp(answers);
  expect(await pairing.pair('/pairing/terminals/tml_1', leave.signal)).toEqual({ ...CREDENTIALS, keys });
  expect(lines.join()).not.toContain(keys.initialKey);
});

test('createPairing: rejects invalid keys without quoting them', async () => {
  const keys = { scheme: 'AES', initialKeyId: '1234567890123456', initialKey: '1273671EA26AC29A' };
  const { pairing, leave } = setUp([() => ({ status: 200, body: { ...CREDENTIALS, keys } })]);
  await expect(pairing.pair('/pairing/terminals/tml_1', leave.signal)).rejects.toThrow(
    /^POST \/pairing\/terminals\/tml_1: keys\.initialKey (?!.*1273671E)/,
  );
});

test('createPairing: delays stay below half a minute', async () => {
  const { clock, asked, pairing, leave } = setUp([refuse]);
  void pairing.pair('/pairing/terminals/tml_1', leave.signal);
  await clock.advance(60 * 60_000);
  const before = asked.length;
  await clock.advance(5 * 60_000);

  expect(asked.length - before).toBeGreaterThanOrEqual(10);
  expect(asked.length).toBeLessThan(1000);
});

test.each([
  [404, { errors: [{ code: 'not_found', message: 'no such terminal' }] }, 'answered 404: no such terminal'],
  [401, 'who are you?', 'answered 401'],
  [200, { clientId: 'tml_1', username: 'tml_1' }, 'password is required'],
  [200, null, 'POST /pairing/terminals/tml_1'],
])('createPairing: does not retry a reply %i with %j', async (status, body, message) => {
  const { asked, clock, pairing, leave } = setUp([() => ({ status, body })]);

  await expect(pairing.pair('/pairing/terminals/tml_1', leave.signal)).rejects.toMatchObject({
    code: 'server_answer',
    message: expect.stringContaining(message),
  });
  await clock.advance(60_000);
  expect(asked).toHaveLength(1);
});

test('createPairing: aborting resolves with undefined and cancels the timer', async () => {
  const { clock, pairing, leave } = setUp([refuse]);
  const paired = pairing.pair('/pairing/terminals/tml_1', leave.signal);
  await clock.advance(0);
  leave.abort();

  expect(await paired).toBeUndefined();
  expect(clock.due).toEqual([]);
});

test('createPairing: limits concurrent requests', async () => {
  let open = 0;
  let most = 0;
  const api: SandboxApi = {
    async request() {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return { status: 200, body: CREDENTIALS };
    },
  };
  const { clock, leave } = setUp([refuse]);
  const log = createLog({ level: 'silent' });
  const pairing = createPairing({ api, clock, random: seededRandom('many'), log });
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, index) => pairing.pair(`/pairing/${index}`, leave.signal)),
  );

  expect(all).toHaveLength(200);
  expect(most).toBe(50);
});
