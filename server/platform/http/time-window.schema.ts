import { Timestamp, Type, withDescription } from '../../../protocol/schema.ts';

/** The window of a list, epoch seconds, both ends inclusive (Spec §4.1). */
export const TimeWindow = {
  startTimestamp: Type.Optional(
    withDescription(
      Timestamp,
      'Return only objects created at or after this time: a Unix timestamp, in seconds. Must be before `endTimestamp`.',
    ),
  ),
  endTimestamp: Type.Optional(
    withDescription(
      Timestamp,
      'Return only objects created at or before this time: a Unix timestamp, in seconds',
    ),
  ),
};
