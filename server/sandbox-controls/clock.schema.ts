import { Timestamp, Type, withDescription } from '../../protocol/schema.ts';

const YEAR_SECONDS = 31_536_000;

export const SandboxTime = Type.Object(
  {
    nowTimestamp: withDescription(Timestamp, 'Current time of the sandbox: a Unix timestamp, in seconds'),
    offsetSeconds: Type.Integer({
      description:
        'Number of seconds by which the time of the sandbox is ahead of real time; negative where it is behind',
    }),
  },
  { title: 'SandboxTime', description: 'Time of the sandbox' },
);

export const ClockAdvance = Type.Object({
  seconds: Type.Integer({
    minimum: 1,
    maximum: YEAR_SECONDS,
    description: 'Number of seconds to advance the clock by, at most a year',
  }),
});
