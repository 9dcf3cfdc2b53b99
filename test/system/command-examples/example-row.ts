import type { Child, Ended } from '../kit/child-command.ts';
import type { Stage } from './stage.ts';

/** What is printed in place of something of the user, and what a row puts there. The rest of a line runs as printed. */
const PLACEHOLDERS = {
  'the path of a device: the serial line of a twin': /\/dev\/tty\w+/,
  'a folder of the system: a temporary one': /\/etc\/[\w./-]+/,
  'the user of a package of the system: the one who runs the tests': /(?<=--owner )\w+/,
  'an id: that of an object which was prepared': /\bev_\d+J?\.{4}wh_5d0f\.{3}|\b[a-z]+_(?:01J)?\.{3}/,
  'an address of the user: a receiver on a free port': /http:\/\/127\.0\.0\.1:3000\/hook/,
  'the address of another machine: that of the server': /http:\/\/10\.0\.0\.5:8080/,
  'the address of a printer: that of its twin': /tcp:\/\/192\.168\.1\.50/,
  'a port: one that is free': /(?<=--tcp )\d+/,
};

/** A line that runs. */
export interface Running {
  child: Child;
  /** Presses Control-C. */
  interrupt(): void;
  /** Types on its standard input, for a row with a keyboard. */
  press(keys: string): void;
}

/** How an example of a command is run, and how it ends. */
export interface ExampleRow {
  /** Runs without the data folder of the server, as on a machine without one. */
  alone?: true;
  /** Its standard input is a keyboard, on which `meanwhile` types, and not an empty file. */
  keyboard?: true;
  /** Runs in a terminal window, whose keyboard and screen it has. */
  window?: true;
  /** Creates what must be there before, and returns what stands in for each placeholder of the line. */
  prepare?(stage: Stage): Promise<Record<string, string> | void> | Record<string, string> | void;
  /** Written to its standard input. */
  input?: string;
  /** Typed into the same shell after the line, to show what the line has set. */
  nextLine?: string;
  /** What happens while it runs. A command that runs until Control-C is interrupted here. */
  meanwhile?(stage: Stage, running: Running): Promise<unknown>;
  /** 0 by default. */
  code?: number;
  /** Nothing by default. */
  stdout?: RegExp;
  /** Nothing by default. */
  stderr?: RegExp;
  /** Looks at what it did besides. */
  after?(stage: Stage, ended: Ended): Promise<unknown> | void;
}

/** Presses Control-C once a line has printed this. */
export function untilPrinted(pattern: RegExp): NonNullable<ExampleRow['meanwhile']> {
  return async (_stage, { child, interrupt }) => {
    await child.prints(pattern);
    interrupt();
  };
}

/** Rows by the line that the help prints. */
export type ExampleRows = Record<string, ExampleRow>;

/**
 * Returns a line with what stands in for its placeholders.
 * @throws for a placeholder without a replacement, and for a replacement of anything else
 */
export function replacePlaceholders(line: string, replacements: Record<string, string>): string {
  const placeholder = new RegExp(
    Object.values(PLACEHOLDERS)
      .map(({ source }) => source)
      .join('|'),
    'g',
  );
  const unused = new Set(Object.keys(replacements));
  const replaced = line.replaceAll(placeholder, (printed) => {
    const replacement = replacements[printed];
    if (replacement === undefined) throw new Error(`${line}: nothing stands in for ${printed}`);
    unused.delete(printed);
    return replacement;
  });
  if (unused.size > 0) throw new Error(`${line}: ${[...unused].join(', ')} is no placeholder`);
  return replaced;
}
