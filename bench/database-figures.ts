import { readFileSync } from 'node:fs';
import { silentLog } from '../protocol/log.ts';
import { openSchemas } from '../server/platform/store/postgres.ts';
import type { Row } from '../server/platform/store/store.ts';

/** What a database holds at a moment. */
export interface DatabaseFigures {
  /** Bytes of the whole database. */
  bytes: number;
  /** Bytes of the tables of `pg_catalog`, their indexes included. */
  catalogueBytes: number;
  /** Connections, without that of the one who asks. */
  connections: number;
  /** Memory of the processes of the connections that they share with no other, bytes. */
  connectionBytes: number;
  commits: number;
  rollbacks: number;
  /** Rows of each table of the sandbox `default`. */
  rows: Map<string, number>;
}

/** Measures a database of a PostgreSQL that runs on this machine. */
export interface DatabaseMeter {
  measure(): Promise<DatabaseFigures>;
  close(): Promise<void>;
}

export function openDatabaseMeter(url: string): DatabaseMeter {
  const schemas = openSchemas({ url, log: silentLog, connectionsMax: 1 });
  const store = schemas.store();
  const one = async <R extends Row>(sql: string) => (await store.get<R>(sql))!;
  return {
    async measure() {
      const sizes = await one<{ bytes: number; catalogue_bytes: number }>(
        `SELECT pg_database_size(current_database()) AS bytes, (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
           WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r') AS catalogue_bytes`,
      );
      const connected = await store.all<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
           AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      const ended = await one<{ commits: number; rollbacks: number }>(
        `SELECT xact_commit AS commits, xact_rollback AS rollbacks FROM pg_stat_database
         WHERE datname = current_database()`,
      );
      return {
        bytes: sizes.bytes,
        catalogueBytes: sizes.catalogue_bytes,
        connections: connected.length,
        connectionBytes: connected.reduce((sum, { pid }) => sum + ownBytesOf(pid), 0),
        ...ended,
        rows: await countRows(),
      };
    },
    close: () => schemas.close(),
  };

  async function countRows(): Promise<Map<string, number>> {
    const tables = await store.all<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    );
    const rows = new Map<string, number>();
    for (const { name } of tables) {
      rows.set(name, (await one<{ count: number }>(`SELECT count(*) AS count FROM public.${name}`)).count);
    }
    return rows;
  }
}

/** Returns the memory of a process that it shares with no other; 0 once it has ended. */
function ownBytesOf(pid: number): number {
  try {
    const kilobytes = /^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kilobytes?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
