/** Finds what the search and the page of a balance transaction show, also of deleted terminals and customers. */
export const foundBySearch: readonly string[] = [
  // The first transaction of an entry has its id. An entry with one, such as a payment without a fee, does not write this.
  `CREATE INDEX balance_transactions_parts ON balance_transactions (entry_id, seq) WHERE entry_id <> id`,
  `CREATE INDEX customers_by_email ON customers (email_key)`,
  `CREATE INDEX terminals_by_serial ON terminals (serial_number)`,
];
