import { LATEST_MS, toTimestamp } from '../../protocol/clock.ts';
import type { Static } from '../../protocol/schema.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { syncClock } from '../platform/instances/other-instances.ts';
import { raiseClockOffset } from '../platform/sandbox-clock.ts';
import { ClockAdvance, SandboxTime } from './clock.schema.ts';

function toSandboxTime(nowMs: number, offsetMs: number): Static<typeof SandboxTime> {
  return { nowTimestamp: toTimestamp(nowMs), offsetSeconds: Math.floor(offsetMs / 1000) };
}

const common = {
  surface: 'sandbox',
  tag: 'Sandbox clock',
  section: 'Sandbox',
  reply: SandboxTime,
} as const;

const getClockRoute = route({
  ...common,
  operation: 'GET /sandbox/clock',
  summary: 'Retrieve the time of the sandbox',
  async handle({ services }) {
    await syncClock(services);
    return toSandboxTime(services.clock.nowMs(), services.clock.offsetMs);
  },
});

const advanceClockRoute = route({
  ...common,
  operation: 'POST /sandbox/clock/advance',
  access: 'dashboard',
  summary: 'Advance the time of the sandbox. What becomes due is run.',
  body: ClockAdvance,
  async handle({ services, body: { seconds } }) {
    const { clock, gateway, notices, store } = services;
    await syncClock(services);
    const before = { nowMs: clock.nowMs(), offsetMs: clock.offsetMs };
    if (before.nowMs + seconds * 1000 > LATEST_MS) {
      throw new Refusal('invalid_field', {
        field: 'seconds',
        problem: 'must not lead past the year 9998',
      });
    }
    const offsetMs = await store.transaction(async (tx) => {
      const raisedMs = await raiseClockOffset(tx, before.offsetMs, seconds * 1000);
      tx.afterCommit(() => {
        clock.setOffset(raisedMs);
        gateway.publishClock(raisedMs);
        notices.emit({ kind: 'clock.advanced', offsetMs: raisedMs });
      });
      return raisedMs;
    });
    // Computed: the clock of a test world arrives later, because due jobs run first.
    return toSandboxTime(Math.max(clock.nowMs(), before.nowMs + offsetMs - before.offsetMs), offsetMs);
  },
});

/** Sandbox time: real time plus an offset that only grows (docs/choices.md, Clock). */
export const clockRoutes: readonly Route[] = [getClockRoute, advanceClockRoute];
