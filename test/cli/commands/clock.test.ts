import { expect, test } from 'vitest';
import { createCliFixture, refusal } from '../cli-fixture.ts';

const NOW = Date.UTC(2026, 0, 5, 9, 30) / 1000;
const NOTHING = { jobs: 0, deliveries: 0 };
const at = (nowTimestamp: number, offsetSeconds = 0, pending = NOTHING) => ({
  status: 200,
  body: { nowTimestamp, offsetSeconds, pending },
});

test.each([
  [0, 'real time'],
  [59, '59 s ahead of real time'],
  [-61, '1 min 1 s behind real time'],
  [86_399, '1 d ahead of real time'],
  [3 * 86_400 + 5_400, '3 d 1 h 30 min ahead of real time'],
])('clock: an offset of %d s is %s', async (offsetSeconds, shown) => {
  const on = createCliFixture();
  on.answer('GET /sandbox/clock', at(NOW, offsetSeconds));
  expect(await on.run('clock')).toBe(0);
  expect(on.out).toBe(`2026-01-05T09:30:00Z  ${shown}\n`);
});

test('clock: prints the reply with --json', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/clock', at(NOW, 5));
  expect(await on.run('clock', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual({ nowTimestamp: NOW, offsetSeconds: 5, pending: NOTHING });
});

test.each([
  [{ jobs: 0, deliveries: 1 }, '1 delivery'],
  [{ jobs: 1, deliveries: 0 }, '1 job'],
  [{ jobs: 40, deliveries: 3 }, '40 jobs, 3 deliveries'],
])('clock advance: says what is not done within ten seconds: %j', async (pending, shown) => {
  const on = createCliFixture();
  on.answer('POST /sandbox/clock/advance', at(NOW, 60, pending));
  expect(await on.run('clock', 'advance', '60')).toBe(0);
  expect(on.out).toBe(`2026-01-05T09:30:00Z  1 min ahead of real time, still under way: ${shown}\n`);
});

test.each([
  ['90', 90],
  ['90s', 90],
  ['15m', 900],
  ['36h', 129_600],
  ['30d', 2_592_000],
])('clock advance: %s is %d seconds', async (typed, seconds) => {
  const on = createCliFixture();
  on.answer('POST /sandbox/clock/advance', at(NOW + seconds, seconds));
  expect(await on.run('clock', 'advance', typed)).toBe(0);
  expect(on.requests).toMatchObject([{ body: { seconds } }]);
  expect(on.out).toContain('ahead of real time');
});

test('clock advance --to: advances by what is left until that time', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/clock', at(NOW));
  on.answer('POST /sandbox/clock/advance', at(NOW + 1800, 1800));
  expect(await on.run('clock', 'advance', '--to', '2026-01-05T10:00Z')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ seconds: 1800 });
  expect(await on.run('clock', 'advance', '--to', '2026-01-05T09:30Z')).toBe(1);
  expect(on.err).toBe('tapbench: --to must be in the future of the sandbox\n');
});

test('clock advance: goes further than a year in steps, each as long as the server allows', async () => {
  const on = createCliFixture();
  const year = 365 * 86_400;
  on.answer('POST /sandbox/clock/advance', at(NOW, year), at(NOW, 2 * year), at(NOW, 2 * year + 86_400));
  expect(await on.run('clock', 'advance', '731d')).toBe(0);
  expect(on.requests.map(({ body }) => body)).toEqual([
    { seconds: year },
    { seconds: year },
    { seconds: 86_400 },
  ]);
  expect(on.out).toBe('2026-01-05T09:30:00Z  731 d ahead of real time\n');
});

test.each([
  [['5x'], "BY must be seconds, or a number with s, m, h or d, such as 36h, not '5x'"],
  [['0'], "BY must be seconds, or a number with s, m, h or d, such as 36h, not '0'"],
  [[], 'BY or --to is required, and only one of them'],
  [['5', '--to', '2026-01-05'], 'BY or --to is required, and only one of them'],
])('clock advance %j: is refused before any call', async (words, message) => {
  const on = createCliFixture();
  expect(await on.run('clock', 'advance', ...words)).toBe(1);
  expect([on.err, on.requests]).toEqual([`tapbench: ${message}\n`, []]);
});

test('reset: empties the sandbox', async () => {
  const on = createCliFixture();
  const accounts = { platformId: 'ac_1', subAccountId: 'ac_2' };
  on.answer(
    'POST /sandbox/reset',
    { status: 200, body: accounts },
    { status: 200, body: accounts },
    refusal(403, 'no'),
  );
  expect([await on.run('reset'), on.out]).toEqual([0, 'all data deleted\n']);
  expect(await on.run('reset', '--json')).toBe(0);
  expect(on.out).toContain('"subAccountId": "ac_2"');
  expect(await on.run('reset')).toBe(1);
});
