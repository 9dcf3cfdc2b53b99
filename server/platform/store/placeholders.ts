// Statements that servers keep prepared by name; the bound is for lists of varying length.
const NAMES_MAX = 500;

const MAY_BE_REPEATED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

// One for the tables of one sandbox.
const NAMES_A_SCHEMA = /"\./;

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
      if (statements.size === NAMES_MAX || !MAY_BE_REPEATED.test(sql) || NAMES_A_SCHEMA.test(sql))
        return statement;
      statement.name = `q${statements.size}`;
      statements.set(sql, statement);
    }
    return statement;
  };
}
