/**
 * The timelines of terminal actions that are over, for the dashboard: of each write the entries since the one before, as
 * JSON. `recording` names the process that numbered them.
 */
export const actionTimelines: readonly string[] = [
  `CREATE TABLE action_timelines (
    seq {seq}, action_id TEXT NOT NULL, recording TEXT NOT NULL, entries TEXT NOT NULL)`,
  `CREATE INDEX action_timelines_by_action ON action_timelines (action_id, seq)`,
  `CREATE INDEX actions_by_terminal ON actions (terminal_id, seq)`,
];
