/** Finds the payments of a customer, and the cards that a payment stored, without reading a table whole. */
export const relations: readonly string[] = [
  // A payment in person has no customer, and writes neither index.
  `CREATE INDEX payment_sessions_by_customer ON payment_sessions (customer_id, seq) WHERE customer_id IS NOT NULL`,
  `CREATE INDEX payment_methods_of_session ON payment_methods (session_id) WHERE stored = 1`,
];
