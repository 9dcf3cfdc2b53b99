/**
 * The plans of faults, with their faults as JSON, and what struck; `occurrence` counts what the fault asks for. The id of a
 * plan is `plan_` and its number.
 */
export const faultPlans: readonly string[] = [
  `CREATE TABLE fault_plans (
    seq {seq}, created_ms BIGINT NOT NULL, title TEXT NOT NULL, seed TEXT NOT NULL, faults TEXT NOT NULL)`,
  `CREATE TABLE fault_strikes (
    seq {seq}, plan_id TEXT NOT NULL, fault INTEGER NOT NULL, occurrence BIGINT NOT NULL, at_ms BIGINT NOT NULL,
    what TEXT NOT NULL, subject TEXT NOT NULL, ids TEXT NOT NULL)`,
  `CREATE INDEX fault_strikes_by_plan ON fault_strikes (plan_id, fault, seq)`,
];
