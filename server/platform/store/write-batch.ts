import { setBounded } from '../bounded-map.ts';
import type { SqlValue } from './store.ts';

/** A statement that writes, and whose result nothing depends on. */
interface SentWrite {
  sql: string;
  parameters: readonly SqlValue[];
  /** Whether the transaction fails unless it changes one row. */
  changesOne: boolean;
}

/** The writes of a transaction that have not been sent. */
export interface WriteBatch {
  add(write: SentWrite): void;
  /** Sends all, if a statement mentions a table that one of them writes to. */
  sendBefore(sql: string): void;
  /** Sends all, as few statements. */
  sendAll(): void;
}

interface Group {
  tables: Set<string>;
  writes: SentWrite[];
}

/**
 * Returns an empty batch. Writes to different tables are sent as one statement of PostgreSQL, the parts of a WITH: a
 * statement costs both sides more than what it writes. Writes to one table keep their order, since PostgreSQL does not say in which
 * order it runs the parts.
 * @param send sends a statement without waiting
 * @param lockTable called with the table of the first write that is not sent at once
 */
export function createWriteBatch(
  send: (sql: string, parameters: readonly SqlValue[]) => void,
  lockTable: (table: string) => void = () => {},
): WriteBatch {
  let groups: Group[] = [];
  let isLocked = false;

  function sendAll(): void {
    const sent = groups;
    groups = [];
    for (const { writes } of sent) {
      const joined = joinedText(writes);
      if (joined === undefined) for (const write of writes) send(textOf(write), write.parameters);
      else {
        send(
          joined,
          writes.flatMap(({ parameters }) => parameters),
        );
      }
    }
  }

  return {
    add(write) {
      const { table } = partsOf(write.sql);
      if (table === undefined) {
        sendAll();
        return send(textOf(write), write.parameters);
      }
      if (!isLocked) lockTable(table);
      isLocked = true;
      const place = groups.findLastIndex(({ tables }) => tables.has(table)) + 1;
      const group = (groups[place] ??= { tables: new Set(), writes: [] });
      group.tables.add(table);
      group.writes.push(write);
    },
    sendBefore(sql) {
      if (groups.length === 0) return;
      const { words } = partsOf(sql);
      if (groups.some(({ tables }) => [...tables].some((table) => words.has(table)))) sendAll();
    },
    sendAll,
  };
}

/** What is known of the text of a statement. */
interface StatementParts {
  id: number;
  /** The table of a write that reads no other and returns nothing. */
  table: string | undefined;
  words: ReadonlySet<string>;
}

const PARTS_MAX = 1_000;
const parts = new Map<string, StatementParts>();
let latestId = 0;

function partsOf(sql: string): StatementParts {
  let known = parts.get(sql);
  if (!known) {
    const table = /^\s*(?:INSERT INTO|UPDATE)\s+(\w+)\b/.exec(sql)?.[1];
    const isPlain = !/\b(?:SELECT|RETURNING)\b/.test(sql);
    known = {
      id: ++latestId,
      table: isPlain ? table : undefined,
      words: new Set(sql.match(/\w+/g)),
    };
    setBounded(parts, PARTS_MAX, sql, known);
  }
  return known;
}

// Each is prepared on each connection. What comes together for the first time after these is sent one by one.
const JOINED_MAX = 200;
const joinedTexts = new Map<string, string>();

/** Returns one statement for several writes; undefined when there is one, or this combination is one too many. */
function joinedText(writes: readonly SentWrite[]): string | undefined {
  if (writes.length === 1) return undefined;
  const key = writes.map(({ sql, changesOne }) => `${partsOf(sql).id}${changesOne ? '!' : ''}`).join(' ');
  let text = joinedTexts.get(key);
  if (text === undefined && joinedTexts.size < JOINED_MAX) {
    text = join(writes);
    joinedTexts.set(key, text);
  }
  return text;
}

/** Divides by zero when a row is not changed that should be, so that PostgreSQL refuses the commit. */
function join(writes: readonly SentWrite[]): string {
  const named = writes.map(
    ({ sql, changesOne }, index) => `w${index} AS (${sql}${changesOne ? ' RETURNING 1' : ''})`,
  );
  const counts = writes.flatMap(({ changesOne }, index) =>
    changesOne ? [`1 / (SELECT COUNT(*) FROM w${index})`] : [],
  );
  return `WITH ${named.join(', ')} SELECT ${counts.length > 0 ? counts.join(', ') : '1'}`;
}

function textOf(write: SentWrite): string {
  return write.changesOne ? join([write]) : write.sql;
}
