import { toTimestamp } from '../../protocol/clock.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import type { Services } from '../platform/services.ts';
import { catchUpClock } from '../platform/instances/other-instances.ts';
import { raiseClockOffset } from '../platform/sandbox-clock.ts';
import { ClockAdvance, SandboxTime } from './clock.schema.ts';

// Dates on the wire have four digits for the year (Spec §2.1).
const LAST_MS = Date.UTC(9999, 0, 1);

/** Sandbox time: real time plus an offset that only grows (docs/choices.md, Clock). */
export function clockRoutes(services: Services): Route[] {
  const { clock, gateway, notices, store } = services;
  const show = (nowMs: number, offsetMs: number) => ({
    nowTimestamp: toTimestamp(nowMs),
    offsetSeconds: Math.floor(offsetMs / 1000),
  });
  const common = {
    surface: 'sandbox',
    tag: 'Sandbox clock',
    section: 'Sandbox',
    reply: SandboxTime,
  } as const;

  return [
    route({
      ...common,
      operation: 'GET /sandbox/clock',
      summary: 'What time it is in the sandbox',
      async handle() {
        await catchUpClock(services);
        return show(clock.nowMs(), clock.offsetMs);
      },
    }),
    route({
      ...common,
      operation: 'POST /sandbox/clock/advance',
      access: 'dashboard',
      summary: 'Move sandbox time on; what becomes due happens',
      body: ClockAdvance,
      async handle({ body: { seconds } }) {
        await catchUpClock(services);
        const before = { nowMs: clock.nowMs(), offsetMs: clock.offsetMs };
        if (before.nowMs + seconds * 1000 > LAST_MS) {
          throw new Refusal('invalid_field', {
            field: 'seconds',
            problem: 'must not lead past the year 9998',
          });
        }
        const offsetMs = await store.transaction((tx) =>
          raiseClockOffset(tx, before.offsetMs, seconds * 1000),
        );
        clock.setOffset(offsetMs);
        gateway.publishClock(offsetMs);
        notices.emit({ kind: 'clock.advanced', offsetMs });
        // Said by hand: a test world's clock takes a moment to get there, since what becomes due runs first.
        return show(Math.max(clock.nowMs(), before.nowMs + offsetMs - before.offsetMs), offsetMs);
      },
    }),
  ];
}
