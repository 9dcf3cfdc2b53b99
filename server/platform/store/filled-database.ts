import { writeFile } from 'node:fs/promises';
import {
  fillDatabase,
  ROLLBACK_JOURNAL,
  VERSIONS_OFFSET,
  WRITE_AHEAD_LOG,
  type Fill,
  type NewDatabaseParts,
} from './fill-database.ts';
import { migratedDatabase } from './migrated-database.ts';

/**
 * Writes a SQLite file with all tables and the rows of `fill`, as `fillDatabase` does; without rows unless it is given.
 * @throws Fault `store` when it cannot be written, and what `fill` throws
 */
export async function writeDatabase(parts: NewDatabaseParts, fill?: Fill): Promise<void> {
  const content = Buffer.from(await migratedDatabase(parts.log));
  // Without a log of its own while it is filled.
  content.set(fill ? ROLLBACK_JOURNAL : WRITE_AHEAD_LOG, VERSIONS_OFFSET);
  await writeFile(parts.path, content, { mode: 0o600, flush: !fill && !parts.ephemeral });
  if (fill) await fillDatabase(parts, fill);
}
