import { statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { VERSION } from '../../protocol/version.ts';
import { stringOption } from './option.ts';

/** The option of commands that find defects, for code scanning. */
export const sarif = stringOption({
  flag: '--sarif <file>',
  description: 'File to which what is found is written as SARIF 2.1.0 too, for code scanning',
  defaultText: 'none is written',
});

/** What was found, in the terms of SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0). */
export interface SarifFinds {
  rules: readonly { id: string; shortDescription: { text: string } }[];
  results: readonly object[];
  /** Why not all was found out; undefined when it was. */
  problem: string | undefined;
}

/**
 * Runs what finds defects, and writes them as SARIF. When it throws, the file says so, so that the file of an earlier run is not
 * taken for this one.
 * @param file undefined writes nothing
 * @throws what `run` throws, and Fault `bad_setting` when the file cannot be written
 */
export async function withSarifReport<T>(
  file: string | undefined,
  run: () => Promise<T>,
  findsOf: (result: T) => SarifFinds,
): Promise<T> {
  const write = (finds: SarifFinds) => {
    if (file === undefined) return;
    try {
      makeFolder(dirname(file));
      writeFileSync(file, `${JSON.stringify(sarifLog(finds), undefined, 2)}\n`);
    } catch (thrown) {
      const why = `--sarif ${file} cannot be written: ${messageOf(thrown)}`;
      throw new Fault('bad_setting', why, { cause: thrown });
    }
  };
  let result: T;
  try {
    result = await run();
  } catch (thrown) {
    write({ rules: [], results: [], problem: messageOf(thrown) });
    throw thrown;
  }
  write(findsOf(result));
  return result;
}

/** Returns a log of SARIF, with what GitHub's code scanning needs. */
export function sarifLog({ rules, results, problem }: SarifFinds): object {
  const notifications = problem === undefined ? [] : [{ level: 'error', message: { text: problem } }];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'tapbench', semanticVersion: VERSION, rules } },
        invocations: [
          {
            executionSuccessful: problem === undefined,
            toolExecutionNotifications: notifications,
          },
        ],
        results,
      },
    ],
  };
}

/** Returns a place in a file, as SARIF has it. */
export function sarifLocation({ file, line }: { file: string; line: number }): object {
  const artifactLocation = { uri: encodeURI(file), uriBaseId: '%SRCROOT%' };
  return { physicalLocation: { artifactLocation, region: { startLine: line } } };
}

/** Returns the first of the words of a command line that is a file: what it runs, where no line is known. */
export function programFile(words: readonly (string | undefined)[]): string | undefined {
  return words.find((word) => word !== undefined && isFile(word));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
