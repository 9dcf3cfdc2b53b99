import type { HookedWorld } from '../../testing/world/world-options.ts';

/** Returns everything that a world has stored and sent as text: all rows of its store, and its webhooks. */
export async function worldText({ receivers, server }: HookedWorld): Promise<string> {
  const { store } = server.services;
  const inSqlite = `SELECT name FROM sqlite_schema WHERE type = 'table'`;
  const inPostgres = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`;
  const tables = await store.all<{ name: string }>(store.engine === 'sqlite' ? inSqlite : inPostgres);
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push(await store.all(`SELECT * FROM "${name}"`));
  const delivered = receivers.all().flatMap(({ deliveries }) => deliveries.map(({ body }) => body));
  return [JSON.stringify(rows), ...delivered].join('\n');
}
