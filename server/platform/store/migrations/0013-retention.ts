/** What retention looks up by each object, so that it never reads a table whole. */
export const retention: readonly string[] = [
  `CREATE INDEX actions_by_session ON actions (session_id)`,
  `CREATE INDEX balance_transactions_of_origin ON balance_transactions (origin_id) WHERE payout_id IS NULL`,
];
