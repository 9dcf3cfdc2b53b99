/** A connection that is not open yet. */
interface Client {
  connect(): Promise<unknown>;
  query(text: string): Promise<{ rows: { pid?: unknown }[] }>;
  end(): Promise<void>;
  on(event: 'error', ignore: () => void): unknown;
  /** The process that requests to cancel name. */
  processID?: number | null;
}

/**
 * Opens and closes a connection, and returns whether it goes through a pooler such as PgBouncer, which may give each
 * transaction to another connection of PostgreSQL: settings, prepared statements and locks of a session would be those of
 * any client. A pooler names a process of its own.
 * @throws what the connection throws
 */
export async function isThroughPooler(client: Client): Promise<boolean> {
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid !== client.processID;
  } finally {
    await client.end().catch(() => undefined);
  }
}
