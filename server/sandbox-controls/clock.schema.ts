import { Timestamp, Type } from '../../protocol/schema.ts';

const YEAR_SECONDS = 31_536_000;

export const SandboxTime = Type.Object(
  {
    nowTimestamp: Timestamp,
    offsetSeconds: Type.Integer({ description: 'How far sandbox time is ahead of real time' }),
  },
  { title: 'SandboxTime' },
);

export const ClockAdvance = Type.Object({
  seconds: Type.Integer({ minimum: 1, maximum: YEAR_SECONDS, description: 'At most a year at once' }),
});
