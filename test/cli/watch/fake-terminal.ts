/** A terminal that interprets cursor positions and text, and ignores colours. */
export interface FakeTerminal {
  write(text: string): void;
  /** The rows of the screen, without trailing blanks. */
  readonly rows: string[];
  readonly isAlternate: boolean;
  readonly isCursorShown: boolean;
  size: { columns: number; rows: number };
}

// oxlint-disable-next-line no-control-regex -- that is what it is about
const SEQUENCE = /\x1b\[(\??)([0-9;]*)([A-Za-z])/y;

export function fakeTerminal(columns: number, rows: number): FakeTerminal {
  let grid: string[] = [];
  let at = 0;
  let isAlternate = false;
  let isCursorShown = true;

  function apply(isPrivate: boolean, parameters: string, letter: string): void {
    if (isPrivate && parameters === '1049') isAlternate = letter === 'h';
    else if (isPrivate && parameters === '25') isCursorShown = letter === 'h';
    else if (letter === 'J') grid = [];
    else if (letter === 'H') {
      at = Number(parameters.split(';')[0]) - 1;
      grid[at] = '';
    }
  }
  const terminal: FakeTerminal = {
    size: { columns, rows },
    write(text) {
      for (let place = 0; place < text.length;) {
        SEQUENCE.lastIndex = place;
        const found = SEQUENCE.exec(text);
        if (found) {
          apply(found[1] === '?', found[2]!, found[3]!);
          place = SEQUENCE.lastIndex;
        } else {
          grid[at] = (grid[at] ?? '') + text[place]!;
          place += 1;
        }
      }
    },
    get rows() {
      return Array.from({ length: terminal.size.rows }, (_, row) => (grid[row] ?? '').trimEnd());
    },
    get isAlternate() {
      return isAlternate;
    },
    get isCursorShown() {
      return isCursorShown;
    },
  };
  return terminal;
}
