import { Timestamp, Type, withDescription } from '../../protocol/schema.ts';

export const YEAR_SECONDS = 31_536_000;

export const SandboxTime = Type.Object(
  {
    nowTimestamp: withDescription(Timestamp, 'Current time of the sandbox: a Unix timestamp, in seconds'),
    offsetSeconds: Type.Integer({
      description:
        'Number of seconds by which the time of the sandbox is ahead of real time; negative where it is behind',
    }),
    pending: Type.Object(
      {
        jobs: Type.Integer({
          description:
            'Number of jobs that are due, such as billings, expiries and payouts. While it is not 0 after an advance, the clock still moves',
        }),
        deliveries: Type.Integer({
          description: 'Number of events whose delivery to a webhook endpoint is due or under way',
        }),
      },
      { description: 'What is due and not done yet' },
    ),
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
