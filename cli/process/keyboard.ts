import type { Key } from '../../simulator/pin-pad.ts';

/** Keyboard input of a running command. Each method returns a function that removes the listener. */
export interface Keyboard {
  /** Listens for lines; typed characters are echoed. */
  onLine(listener: (line: string) => void): () => void;
  /** Listens for PIN pad keys, without echo: digits, enter, backspace as clear, escape or `c` as cancel. */
  onKey(listener: (key: Key) => void): () => void;
  /** Listens for navigation keys, without echo. */
  onMove(listener: (move: Move) => void): () => void;
}

export type Move = 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last' | 'quit';

const ESC = '\u001b';
const ETX = '\u0003'; // Control-C, which a terminal in raw mode passes on as a character

/** Creates the keyboard of a process. In raw mode Control-C raises no signal, so `interrupt` is called instead. */
export function keyboardOf(
  input: NodeJS.ReadStream & { setRawMode?(raw: boolean): unknown },
  interrupt: () => void,
): Keyboard {
  const listen = (raw: boolean, heard: (text: string) => void) => {
    if (raw && input.isTTY) input.setRawMode(true);
    const onData = (data: Buffer | string) => heard(data.toString());
    // A closed standard input counts as no input.
    const onError = () => {};
    input.on('data', onData);
    input.on('error', onError);
    input.resume();
    return () => {
      input.off('data', onData);
      if (raw && input.isTTY) input.setRawMode(false);
      input.pause();
      input.unref?.();
    };
  };
  return {
    onLine(listener) {
      let begun = '';
      return listen(false, (text) => {
        const lines = (begun + text).split(/\r?\n/);
        begun = lines.pop()!;
        for (const line of lines) listener(line);
      });
    },
    onKey: (listener) =>
      listen(true, (text) => {
        // Arrow and function keys are sequences that begin with escape; they are ignored.
        if (text.length > 1 && text.startsWith(ESC)) return;
        for (const typed of text) {
          if (typed === ETX) interrupt();
          const key = KEYS[typed] ?? (/^[0-9]$/.test(typed) ? (typed as Key) : undefined);
          if (key) listener(key);
        }
      }),
    onMove: (listener) =>
      listen(true, (text) => {
        for (const [typed] of text.matchAll(TYPED)) {
          if (typed === ETX) interrupt();
          const move = MOVES[typed];
          if (move) listener(move);
        }
      }),
  };
}

// ECMA-48 §5.4: a special key is a control sequence, or SS3 and a letter; any other key is one character.
// oxlint-disable-next-line no-control-regex -- keys send them
const TYPED = /\u001b\[[0-?]*[ -/]*[@-~]|\u001bO.|[^]/gu;

const MOVES: Record<string, Move> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  k: 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  j: 'down',
  '\u001b[5~': 'pageUp',
  '\u001b[6~': 'pageDown',
  '\u001b[H': 'first',
  '\u001bOH': 'first',
  '\u001b[1~': 'first',
  g: 'first',
  '\u001b[F': 'last',
  '\u001bOF': 'last',
  '\u001b[4~': 'last',
  G: 'last',
  q: 'quit',
};

const KEYS: Record<string, Key> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'clear',
  '\b': 'clear',
  [ESC]: 'cancel',
  c: 'cancel',
};
