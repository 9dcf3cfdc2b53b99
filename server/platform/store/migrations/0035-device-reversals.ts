/** The reversals of an action that its payment terminal reported, as JSON. */
export const deviceReversals: readonly string[] = ['ALTER TABLE actions ADD COLUMN device_reversals TEXT'];
