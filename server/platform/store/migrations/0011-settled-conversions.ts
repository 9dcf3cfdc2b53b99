/** A conversion whose bought amount is on the balance is `Settled`, the name that every client library knows. */
export const settledConversions: readonly string[] = [
  `UPDATE conversions SET status = 'Settled' WHERE status = 'Completed'`,
];
