import { CHARACTERS_PER_TURN, nextTurn, type NextTurn } from '../platform/loop-turns.ts';

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
