/** The offset of the sandbox clock that each server has taken over, in milliseconds; null until it has taken one over. */
export const followedClock: readonly string[] = [`ALTER TABLE instances ADD COLUMN clock_offset_ms BIGINT`];
