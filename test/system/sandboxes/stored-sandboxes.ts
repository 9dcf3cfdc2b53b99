import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Store } from '../../../server/platform/store/store.ts';

/** What is stored of the sandboxes besides `default`, read past the server. */
export interface StoredSandboxes {
  /** Returns the names of the sandboxes of which anything is stored. @throws when one is stored in part */
  names(): Promise<string[]>;
  secretKeyOf(name: string): Promise<string>;
}

/** Reads the sandboxes in the data folder of a server. */
export function sandboxesInFolder(dataDir: string): StoredSandboxes {
  const folder = join(dataDir, 'sandboxes');
  return {
    names: async () => readdirSync(folder),
    secretKeyOf: async (name) => secretKeyIn(readFileSync(join(folder, name, 'keys.json'), 'utf8')),
  };
}

/**
 * Reads the sandboxes in a database, and the folders of the journals of their terminals.
 * @param store that of `default`
 */
export function sandboxesInDatabase(store: Store, dataDir: string): StoredSandboxes {
  const folder = join(dataDir, 'database-sandboxes');
  return {
    async names() {
      const found = await store.all<FoundSchema>(SCHEMAS);
      expect(found.filter(({ schema, record }) => schema === null || record === null)).toEqual([]);
      expect(new Set(found.map(({ relations }) => relations)).size).toBeLessThanOrEqual(1);
      const names = found.flatMap(({ name }) => name ?? []);
      const folders = existsSync(folder) ? readdirSync(folder) : [];
      expect(names).toEqual(expect.arrayContaining(folders.map((each) => each.replace(/-\d+$/, ''))));
      return names;
    },
    async secretKeyOf(name) {
      const row = await store.get<{ keys: string }>('SELECT keys FROM sandboxes WHERE name = ?', name);
      return secretKeyIn(row!.keys);
    },
  };
}

type FoundSchema = {
  /** Null for a record without a schema. */
  schema: string | null;
  /** Null for a schema without a record. */
  record: string | null;
  /** Null for a schema of the pool. */
  name: string | null;
  /** Number of tables, indexes and counters in the schema. */
  relations: number;
};

const SCHEMAS = `
  SELECT found.nspname AS schema, stored.schema AS record, stored.name,
         (SELECT count(*) FROM pg_class WHERE relnamespace = found.oid) AS relations
  FROM (SELECT oid, nspname::text FROM pg_namespace WHERE nspname LIKE 'sandbox%') AS found
  FULL JOIN (SELECT COALESCE(CAST(facts AS JSON) ->> 'schema', 'sandbox_' || name) AS schema, name FROM sandboxes
             UNION ALL SELECT 'sandbox_pool_' || id, NULL FROM sandbox_schema_pool) AS stored
  ON stored.schema = found.nspname`;

function secretKeyIn(keys: string): string {
  return (JSON.parse(keys) as { secretKey: string }).secretKey;
}
