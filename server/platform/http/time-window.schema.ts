import { Timestamp, Type } from '../../../protocol/schema.ts';

/** The window of a list, epoch seconds, both ends inclusive (Spec §4.1). */
export const TimeWindow = {
  startTimestamp: Type.Optional(Timestamp),
  endTimestamp: Type.Optional(Timestamp),
};
