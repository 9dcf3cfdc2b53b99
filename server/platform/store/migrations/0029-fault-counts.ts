/**
 * How often what each fault of a plan asks for was seen, as JSON: an array in the order of the faults. The index reads the
 * strikes of a plan in order.
 */
export const faultCounts: readonly string[] = [
  `ALTER TABLE fault_plans ADD COLUMN seen TEXT NOT NULL DEFAULT '[]'`,
  `CREATE INDEX fault_strikes_in_order ON fault_strikes (plan_id, seq)`,
];
