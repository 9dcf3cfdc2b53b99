import { Fault } from '../../../protocol/failures.ts';
import type { Queries, Transaction } from './store.ts';

/** Returns the stored value of a setting of a sandbox; undefined when it has none. */
export async function readSetting<T extends string>(queries: Queries, name: string): Promise<T | undefined> {
  const row = await queries.get<{ value: T }>(`SELECT value FROM settings WHERE name = ?`, name);
  return row?.value;
}

/**
 * Returns the stored value of a setting that each started server has written.
 * @throws Fault `store` when it has none
 */
export async function requireSetting(queries: Queries, name: string): Promise<string> {
  const value = await readSetting(queries, name);
  if (value === undefined) throw new Fault('store', `the setting ${name} is not stored`);
  return value;
}

/** Stores the value of a setting, in place of the one before. */
export async function storeSetting(tx: Transaction, name: string, value: string): Promise<void> {
  await tx.run(
    `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    name,
    value,
  );
}

/** Returns the value of a setting, and sets it to `candidate` when it has none: the first of several instances wins. */
export async function getOrSetSetting(tx: Transaction, name: string, candidate: string): Promise<string> {
  tx.send(`INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, name, candidate);
  return requireSetting(tx, name);
}
