import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { checker, type Static, type TSchema } from '../../protocol/schema.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';

/** Writes a result into a folder as `NAME.json` and its page as `NAME.html`, each in one step. @throws Fault `bad_setting` when it cannot */
export function writeResult(
  folder: string,
  { name, value, page }: { name: string; value: unknown; page: string },
): void {
  try {
    makeFolder(folder);
    replaceFile(join(folder, `${name}.html`), page);
    replaceFile(join(folder, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`, { sync: true });
  } catch (thrown) {
    throw new Fault('bad_setting', `--out ${folder} cannot be written: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

/** Returns a function that reads a result from a file. It throws Fault `bad_setting`, naming the flag, when it cannot. */
export function resultReader<S extends TSchema>(schema: S): (path: string, flag: string) => Static<S> {
  const problemsOf = checker(schema);
  const isResult = (value: unknown): value is Static<S> => problemsOf(value).length === 0;
  return (path, flag) => {
    let value: unknown;
    try {
      value = parseOutsideJson(readFileSync(path, 'utf8'));
    } catch (thrown) {
      throw new Fault('bad_setting', `${flag}: ${path} cannot be read: ${messageOf(thrown)}`, {
        cause: thrown,
      });
    }
    if (isResult(value)) return value;
    const [problem] = problemsOf(value);
    throw new Fault('bad_setting', `${flag}: ${path}: ${problem?.path} ${problem?.message}`);
  };
}
