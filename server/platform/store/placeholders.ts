// Statements that servers keep prepared by name; the bound is for lists of varying length.
const NAMES_MAX = 500;

/**
 * Replaces `?` by PostgreSQL's `$1`, `$2`, ..., except in 'text', "names" and comments.
 */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(/'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g, (part) =>
    part === '?' ? `$${++count}` : part,
  );
}

export interface Statement {
  name?: string;
  text: string;
}

/** The PostgreSQL text of each statement; those of every day get a name, under which servers keep their plan. */
export function statementNames(): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = { text: numberPlaceholders(sql) };
      if (statements.size === NAMES_MAX || !/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql))
        return statement;
      statement.name = `q${statements.size}`;
      statements.set(sql, statement);
    }
    return statement;
  };
}
