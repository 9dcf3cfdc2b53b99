/** How often what each fault of a plan asks for was seen, as JSON: an array in the order of the faults. */
export const faultCounts: readonly string[] = [
  `ALTER TABLE fault_plans ADD COLUMN seen TEXT NOT NULL DEFAULT '[]'`,
];
