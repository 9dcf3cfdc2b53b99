import { toTimestamp } from '../../protocol/clock.ts';
import type { Static } from '../../protocol/schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import { syncClock } from '../platform/instances/other-instances.ts';
import type { AdvancedClock } from '../platform/clock-advances.ts';
import { ClockAdvance, SandboxTime } from './clock.schema.ts';

function toSandboxTime({ nowMs, offsetMs, pending }: AdvancedClock): Static<typeof SandboxTime> {
  return { nowTimestamp: toTimestamp(nowMs), offsetSeconds: Math.floor(offsetMs / 1000), pending };
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
    return toSandboxTime(await services.clockAdvances.now());
  },
});

const advanceClockRoute = route({
  ...common,
  operation: 'POST /sandbox/clock/advance',
  access: 'dashboard',
  summary:
    'Advance the time of the sandbox. What becomes due on the way happens in order, each at its time. The reply is sent when it is done, after ten seconds at most',
  body: ClockAdvance,
  // It waits for jobs, whose transactions would wait for one around it.
  worksOutside: true,
  handle: async ({ services, body: { seconds } }) =>
    toSandboxTime(await services.clockAdvances.advance(seconds * 1000)),
});

/** Sandbox time: real time plus an offset that only grows (docs/choices.md, Clock). */
export const clockRoutes: readonly Route[] = [getClockRoute, advanceClockRoute];
