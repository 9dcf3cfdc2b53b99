import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { CHARACTERS_PER_TURN, nextTurn, type NextTurn } from '../platform/loop-turns.ts';
import type { SnapshotHeader } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import type { TraceSnapshot } from './trace-format.schema.ts';

/** Some lines of a trace's file. */
export interface TraceText {
  text: string;
  /** Number of lines. */
  lines: number;
}

/**
 * Yields the text of lines, some at a time: those with which it has CHARACTERS_PER_TURN. The event loop has a turn after
 * each of these.
 */
export async function* textsOf(
  lines: Iterable<unknown> | AsyncIterable<unknown>,
  turn: NextTurn = nextTurn,
): AsyncGenerator<TraceText> {
  let [text, count] = ['', 0];
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    count += 1;
    if (text.length < CHARACTERS_PER_TURN) continue;
    yield { text, lines: count };
    [text, count] = ['', 0];
    await turn();
  }
  if (count > 0) yield { text, lines: count };
}

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The snapshot with which a recording begins, masked: packed, since the rows of a large sandbox take much memory. */
export interface PackedSnapshot {
  header: SnapshotHeader;
  /** Yields the text of its lines but for header and end. */
  texts(): AsyncGenerator<TraceText>;
}

/** Packs the masked lines of a snapshot, its header first. */
export async function packedSnapshot(lines: AsyncIterable<readonly unknown[]>): Promise<PackedSnapshot> {
  const parts: { packed: Buffer; lines: number }[] = [];
  let header: SnapshotHeader | undefined;
  async function* afterHeader(): AsyncGenerator {
    for await (const some of lines) {
      yield* header === undefined ? some.slice(1) : some;
      header ??= some[0] as SnapshotHeader;
    }
  }
  for await (const { text, lines: count } of textsOf(afterHeader()))
    parts.push({ packed: await pack(text, { level: constants.Z_BEST_SPEED }), lines: count });
  return {
    header: header!,
    async *texts() {
      for (const { packed, lines: count } of parts)
        yield { text: (await unpack(packed)).toString('utf8'), lines: count };
    },
  };
}

/** Which lines of a snapshot are unpacked. */
interface UnpackedPart {
  /** Names of tables. */
  tables: readonly string[];
  /** Characters at most; what is over them is left out. */
  characters: number;
}

/** Returns a snapshot with all its lines, or with those of some tables. */
export async function unpackedSnapshot(
  { header, texts }: PackedSnapshot,
  part?: UnpackedPart,
): Promise<TraceSnapshot> {
  const lines: unknown[] = [];
  const isWanted = part ? wantedLines(part) : () => true;
  for await (const { text } of texts())
    for (const line of text.trimEnd().split('\n')) if (isWanted(line)) lines.push(JSON.parse(line));
  return { header, lines };
}

function wantedLines({ tables, characters }: UnpackedPart): (line: string) => boolean {
  let left = characters;
  let isIn = false;
  return (line) => {
    // The rows of a table are arrays, and follow the line of their table.
    if (!line.startsWith('['))
      isIn = tables.some((table) => line.startsWith(`{"table":${JSON.stringify(table)}`));
    if (isIn) left -= line.length;
    return isIn && left >= 0;
  };
}
