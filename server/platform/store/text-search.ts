/**
 * Returns SQL for texts that contain the text of a `pattern`, its parameter, in either case. PostgreSQL compares case in
 * LIKE, SQLite does not.
 */
export function contains(column: string): string {
  return `LOWER(${column}) LIKE ? ESCAPE '\\'`;
}

export function pattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
