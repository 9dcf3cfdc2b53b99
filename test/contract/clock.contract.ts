import { expect, onTestFinished, test, vi } from 'vitest';
import { delay, SystemClock } from '../../protocol/clock.ts';
import type { Store } from '../../server/platform/store/store.ts';
import type { VirtualClock } from '../../world/virtual-clock.ts';
import { property } from '../property.ts';
import { arrange, clockScenarios, contentOf, walksOf, type ClockScenario } from './clock-scenario.ts';
import { runningServer } from './running-server.ts';

const SUBSCRIPTION = {
  what: 'subscription',
  unit: 'Months',
  count: 1,
  times: 0,
  cardMonths: 5,
  trialDays: 0,
  pauseDays: 0,
} as const;

/** What an advance of the clock promises. `open` makes a new store with its tables. */
export function clockContract(open: () => Promise<Store>, { numRuns }: { numRuns: number }): void {
  async function contentAfter(scenario: ClockScenario, steps: number[]): Promise<string[]> {
    const store = await open();
    const running = await runningServer(store);
    try {
      await arrange(running, scenario);
      await running.advance(...steps);
      return await contentOf(store);
    } finally {
      await running.stop();
      await store.close();
    }
  }

  property([clockScenarios], { numRuns, endOnFailure: true })(
    'clock: one step, daily steps and random steps leave the same objects, ledger and events',
    async (scenario) => {
      const walks = walksOf(scenario);
      const inOneStep = await contentAfter(scenario, walks['one step']);
      expect(inOneStep.length).toBeGreaterThan(0);
      expect(await contentAfter(scenario, walks['daily steps'])).toEqual(inOneStep);
      expect(await contentAfter(scenario, walks['random steps'])).toEqual(inOneStep);
    },
    60_000 + numRuns * 60_000,
  );

  test('clock: half a year in one step charges a card in each month until it expires, each at its own time', async () => {
    const store = await open();
    const running = await runningServer(store);
    onTestFinished(() => running.stop());
    await arrange(running, {
      arrangements: [{ ...SUBSCRIPTION, ofBranch: false }],
      firstReplies: [],
      days: 180,
      steps: [],
    });
    await running.advance(180 * 86_400);
    const sessions = (await running.api.get('/v1/payment-sessions?limit=50&startTimestamp=0')).body.items;
    const days = sessions.map(
      ({ status, createdTimestamp }: { status: string; createdTimestamp: number }) => [
        new Date(createdTimestamp * 1000).toISOString().slice(0, 10),
        status,
      ],
    );
    expect(days.toReversed()).toEqual([
      ['2026-01-31', 'Captured'],
      ['2026-02-28', 'Captured'],
      ['2026-03-31', 'Captured'],
      ['2026-04-30', 'Captured'],
      ['2026-05-31', 'Captured'],
      ['2026-06-30', 'Captured'],
    ]);
  });

  test('clock: with two servers on one store, each instant is passed in order, whoever does its work', async () => {
    const store = await open();
    const first = await runningServer(store, { instanceId: 'first', sharedStore: true });
    const { realClock } = first;
    const second = await runningServer(store, { instanceId: 'second', sharedStore: true, realClock });
    await arrange(first, {
      arrangements: [
        { ...SUBSCRIPTION, ofBranch: false },
        { ...SUBSCRIPTION, unit: 'Days', count: 7, ofBranch: true },
      ],
      firstReplies: [],
      days: 90,
      steps: [],
    });
    const ends = { offsetSeconds: 90 * 86_400, pending: { jobs: 0, deliveries: 0 } };
    // Each may be answered while the clock is on the way to the end of the other one.
    const advances = Promise.all([
      first.api.post('/sandbox/clock/advance', { seconds: 60 * 86_400 }),
      second.api.post('/sandbox/clock/advance', { seconds: 30 * 86_400 }),
    ]);
    for (const { status } of await passUntil(realClock, advances)) expect(status).toBe(200);
    for (const { api } of [first, second]) {
      const ended = vi.waitFor(
        async () => expect((await api.get('/sandbox/clock')).body).toMatchObject(ends),
        30_000,
      );
      await passUntil(realClock, ended);
    }
    const sessions = await store.all<{ created_ms: number; status: string }>(
      'SELECT created_ms, status FROM payment_sessions ORDER BY created_ms',
    );
    const dates = sessions.map(({ created_ms: ms }) => new Date(ms).toISOString().slice(5, 10));
    const weeks = Array.from({ length: 13 }, (_, week) => new Date(Date.UTC(2026, 0, 31 + 7 * week)));
    const monthly = ['01-31', '02-28', '03-31', '04-30'];
    expect(dates).toEqual([...weeks.map((day) => day.toISOString().slice(5, 10)), ...monthly].sort());
    expect(sessions.every(({ status }) => status === 'Captured')).toBe(true);
  });
}

/** Lets virtual real time pass until a promise is settled, slower than what is on a network needs. */
async function passUntil<T>(realClock: VirtualClock, awaited: Promise<T>): Promise<T> {
  const network = new SystemClock();
  let isSettled = false;
  void awaited.catch(() => {}).finally(() => (isSettled = true));
  while (!isSettled) {
    await delay(network, 10);
    await realClock.advance(10);
  }
  return awaited;
}
