/** The offset of the sandbox clock that each server has taken over, in milliseconds; null before it has told. */
export const followedClock: readonly string[] = [`ALTER TABLE instances ADD COLUMN clock_offset_ms BIGINT`];
