import type { ApiClients } from './api-clients.ts';
import type { Code } from './code.ts';
import type { Expression } from './expression.ts';
import type { Names } from './names.ts';
import type { References } from './references.ts';

/** What the lines of a test are written with. */
export interface WriterParts {
  names: Names;
  references: References;
  clients: ApiClients;
  /** Writes a line. */
  write(line: Expression): void;
  /** Writes a call as a statement. */
  writeCall(callee: Expression, args: Code[]): void;
}
