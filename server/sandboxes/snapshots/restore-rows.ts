import { releaseAllClaims } from '../../platform/scheduler/claim-lease.records.ts';
import { updateTables } from '../../platform/store/migrations/migrate.ts';
import { RefusedValue, UniqueViolation, type Store } from '../../platform/store/store.ts';
import { insertRows, setLastNumber } from '../../platform/store/table-rows.ts';
import { copiedTables } from '../../platform/store/tables.ts';
import { damaged, readSnapshot, type SnapshotFile } from './read-snapshot.ts';
import type { SnapshotHeader } from './snapshot-format.schema.ts';

/** A snapshot that a sandbox begins with. */
export interface RestoredSnapshot {
  header: SnapshotHeader;
  file: SnapshotFile;
}

/**
 * Writes the rows of a snapshot into the empty tables of its migration, and updates them to this version. Returns its
 * terminals; undefined for none.
 * @param transaction called for some rows at a time
 * @throws Refusal `snapshot_damaged`, when part of it has been written
 */
export async function restoreRows(
  { header, file }: RestoredSnapshot,
  engine: Store['engine'],
  transaction: Store['transaction'],
): Promise<unknown> {
  try {
    return await writeRows({ header, file }, engine, transaction);
  } catch (thrown) {
    if (thrown instanceof UniqueViolation) throw damaged('a row is there twice');
    if (thrown instanceof RefusedValue) throw damaged('a row has a value that its table does not take');
    throw thrown;
  }
}

async function writeRows(
  { header, file }: RestoredSnapshot,
  engine: Store['engine'],
  transaction: Store['transaction'],
): Promise<unknown> {
  const tables = await transaction((tx) => copiedTables(tx, engine, header.migration));
  const terminals = await readSnapshot(file, tables, {
    insert: (table, rows) => transaction((tx) => insertRows(tx, engine, table, rows)),
    setLastNumber: (table, last) => transaction((tx) => setLastNumber(tx, engine, table, last)),
  });
  await transaction(async (tx) => {
    await updateTables(tx, engine, header.migration);
    await releaseAllClaims(tx);
  });
  return terminals;
}
