/** Why an action of a terminal failed, in words, where the terminal reported it. */
export const errorReasons: readonly string[] = ['ALTER TABLE actions ADD COLUMN error_reason TEXT'];
