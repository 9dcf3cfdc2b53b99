/** Who created a conversion, and the result of comparing the holder's name of a payout method, both as JSON. */
export const creatorsAndVerifications: readonly string[] = [
  `ALTER TABLE conversions ADD COLUMN created_by TEXT`,
  `ALTER TABLE payout_methods ADD COLUMN verification TEXT`,
];
