import { silentLog } from '../../../protocol/log.ts';
import { expect, test } from 'vitest';
import { toTimestamp } from '../../../protocol/clock.ts';
import { clockRoutes } from '../../../server/sandbox-controls/clock.resource.ts';
import { restoreSandboxClock } from '../../../server/platform/sandbox-clock.ts';
import { smallServer, START_MS } from '../platform/http/small-server.ts';

const NOTHING = { jobs: 0, deliveries: 0 };

const advance = (seconds: unknown) => ({ body: { seconds } });

test('sandbox clock: is real time until it is advanced', async () => {
  const { call } = await smallServer(clockRoutes);
  const { status, body } = await call('GET /sandbox/clock');
  expect([status, body]).toEqual([
    200,
    { nowTimestamp: toTimestamp(START_MS), offsetSeconds: 0, pending: NOTHING },
  ]);
});

test('sandbox clock: advancing moves the server, is published to all, and adds up', async () => {
  const { call, clock, gateway } = await smallServer(clockRoutes);
  const hour = await call('POST /sandbox/clock/advance', advance(3_600));
  expect(hour.body).toEqual({
    nowTimestamp: toTimestamp(START_MS) + 3_600,
    offsetSeconds: 3_600,
    pending: NOTHING,
  });
  expect(clock.nowMs()).toBe(START_MS + 3_600_000);
  const week = await call('POST /sandbox/clock/advance', advance(604_800));
  expect(week.body.offsetSeconds).toBe(608_400);
  expect((await call('GET /sandbox/clock')).body).toEqual(week.body);
  expect(gateway.clockOffsets).toEqual([3_600_000, 608_400_000]);
});

test('sandbox clock: what becomes due in between happens', async () => {
  const { call, clock } = await smallServer(clockRoutes);
  let rang = false;
  clock.at(START_MS + 60_000, () => (rang = true));
  await call('POST /sandbox/clock/advance', advance(59));
  expect(rang).toBe(false);
  await call('POST /sandbox/clock/advance', advance(1));
  expect(rang).toBe(true);
});

test('sandbox clock: a server that starts later has the same offset', async () => {
  const { call, services } = await smallServer(clockRoutes);
  await call('POST /sandbox/clock/advance', advance(86_400));
  expect(
    (await restoreSandboxClock(services.store, { realClock: services.realClock, log: silentLog })).offsetMs,
  ).toBe(86_400_000);
});

test('sandbox clock: two concurrent advances are both applied', async () => {
  const { call, services } = await smallServer(clockRoutes);
  await Promise.all([
    call('POST /sandbox/clock/advance', advance(10)),
    call('POST /sandbox/clock/advance', advance(20)),
  ]);
  expect(services.clock.offsetMs).toBe(30_000);
});

test.each([0, -1, 31_536_001, 1.5, '60', null, true])(
  'sandbox clock: refuses seconds: %j',
  async (seconds) => {
    const { call, gateway } = await smallServer(clockRoutes);
    const { status, body } = await call('POST /sandbox/clock/advance', advance(seconds));
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(body.errors[0].message).toMatch(/^seconds /);
    expect(gateway.clockOffsets).toEqual([]);
  },
);

test('sandbox clock: stays within the years that the API can write', async () => {
  const { call, clock } = await smallServer(clockRoutes);
  await clock.advance(Date.UTC(9998, 5) - START_MS);
  const { status, body } = await call('POST /sandbox/clock/advance', advance(31_536_000));
  expect([status, body.errors[0].message]).toEqual([400, 'seconds must not lead past the year 9998']);
  expect((await call('POST /sandbox/clock/advance', advance(1))).status).toBe(200);
});
