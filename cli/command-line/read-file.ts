import { readFileSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';

/** Reads a file that the caller names. @throws Fault `bad_setting`, naming it, when it cannot be read */
export function readFileOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
}
