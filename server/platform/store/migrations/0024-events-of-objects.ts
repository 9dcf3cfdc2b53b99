/** Finds the events of an object, and the ledger entries of what caused them, without reading a table whole. */
export const eventsOfObjects: readonly string[] = [
  `ALTER TABLE events ADD COLUMN object_id TEXT`,
  `CREATE INDEX events_by_object ON events (object_id, seq)`,
  `CREATE INDEX postings_by_entry ON postings (entry_id)`,
  `DROP INDEX balance_transactions_of_origin`,
  `CREATE INDEX balance_transactions_by_origin ON balance_transactions (origin_id)`,
];

/** Events that were recorded before name their object in their body alone. */
export const objectsOfEvents = {
  sqlite: [`UPDATE events SET object_id = json_extract(body, '$.data.id')`],
  postgres: [`UPDATE events SET object_id = body::json -> 'data' ->> 'id'`],
} as const;
