import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { VERSION } from '../../protocol/version.ts';
import { findsOf, type HuntFound, type HuntResult } from './hunt-engine.ts';
import { lessonLines } from './hunt-lesson.ts';
import { faultLines, notJudgedSentence, storyLines } from './hunt-text.ts';

interface SarifParts {
  /** Undefined writes nothing. */
  file: string | undefined;
  /** Words that may name the program that is tried: where a story knows no line, the first that is a file is shown. */
  program: readonly (string | undefined)[];
}

/**
 * Runs a hunt, and writes what it found as SARIF. When the hunt throws, the file says so, so that the file of an earlier
 * run is not taken for this one.
 * @throws what the hunt throws, and Fault `bad_setting` when the file cannot be written
 */
export async function withHuntSarif<T extends HuntResult>(
  { file, program }: SarifParts,
  run: () => Promise<T>,
): Promise<T> {
  const write = (found: readonly HuntFound[], problem: string | undefined) => {
    if (file === undefined) return;
    try {
      makeFolder(dirname(file));
      writeFileSync(file, `${JSON.stringify(sarifOf(found, program, problem), undefined, 2)}\n`);
    } catch (thrown) {
      const why = `--sarif ${file} cannot be written: ${messageOf(thrown)}`;
      throw new Fault('bad_setting', why, { cause: thrown });
    }
  };
  let result: T;
  try {
    result = await run();
  } catch (thrown) {
    write([], messageOf(thrown));
    throw thrown;
  }
  write(findsOf(result), problemOf(result));
  return result;
}

/** Returns why not all was found out; undefined when it was. */
function problemOf(result: HuntResult): string | undefined {
  if (result.found && result.others === undefined) return undefined;
  return result.endedBy === 'stop' ? 'the hunt was interrupted' : notJudgedSentence(result);
}

/**
 * Returns what was found in the format of SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), with what GitHub's code
 * scanning needs.
 * @param problem why not all was found out
 */
export function sarifOf(
  found: readonly HuntFound[],
  program: SarifParts['program'],
  problem: string | undefined,
): object {
  const names = [...new Set(found.map(({ verdictName }) => verdictName))];
  const rules = names.map((id) => ({ id, shortDescription: { text: `The verdict ${id} of a hunt` } }));
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
        results: found.map((each) => resultOf(each, names, program)),
      },
    ],
  };
}

function resultOf(found: HuntFound, names: readonly string[], program: SarifParts['program']): object {
  const { verdict, verdictName, plan } = found;
  const [first, ...others] = placesOf(found, program);
  const lines = [verdict, ...faultLines(plan), ...storyLines(found), ...lessonLines(plan)];
  return {
    ruleId: verdictName,
    ruleIndex: names.indexOf(verdictName),
    level: 'error',
    message: { text: lines.join('\n') },
    locations: first ? [locationOf(first)] : [],
    relatedLocations: others.map((place, id) => ({
      id,
      message: { text: place.text },
      ...locationOf(place),
    })),
    // So that code scanning knows it again.
    partialFingerprints: {
      'plan/v1': createHash('sha256')
        .update(JSON.stringify([verdictName, plan]))
        .digest('hex'),
    },
  };
}

interface Place {
  file: string;
  line: number;
  text: string;
}

/** Returns the lines of the shop that sent requests: first the one that sends something else than without faults. */
function placesOf({ story, verdict }: HuntFound, program: SarifParts['program']): Place[] {
  const isOther = (index: number) => story[index - 1]?.who === 'calm';
  const sent = story.flatMap(({ line, text }, index) =>
    line === undefined ? [] : [{ ...placeOf(line), text, isOther: isOther(index) }],
  );
  const last = sent.length - 1;
  const first = sent.find((place) => place.isOther) ?? sent[last];
  if (first) return [first, ...sent.filter((place) => place !== first)];
  const file = program.find((word) => word !== undefined && isFile(word));
  return file === undefined ? [] : [{ file, line: 1, text: verdict }];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** @param line such as `src/shop.ts:41` */
function placeOf(line: string): Pick<Place, 'file' | 'line'> {
  const colon = line.lastIndexOf(':');
  return { file: line.slice(0, colon), line: Number(line.slice(colon + 1)) };
}

function locationOf({ file, line }: Place): object {
  const artifactLocation = { uri: encodeURI(file), uriBaseId: '%SRCROOT%' };
  return { physicalLocation: { artifactLocation, region: { startLine: line } } };
}
