import { createHash } from 'node:crypto';
import { programFile, sarifLocation, sarifLog, withSarifReport } from '../command-line/sarif-option.ts';
import { findsOf, type HuntFound, type HuntResult } from './hunt-engine.ts';
import { lessonLines } from './hunt-lesson.ts';
import { faultLines, notJudgedSentence, storyLines } from './hunt-text.ts';

interface SarifParts {
  /** Undefined writes nothing. */
  file: string | undefined;
  /** Words that may name the program that is tried: where a story knows no line, the first that is a file is shown. */
  program: readonly (string | undefined)[];
}

/** Runs a hunt, and writes what it found as SARIF. @throws as `withSarifReport` */
export function withHuntSarif<T extends HuntResult>(
  { file, program }: SarifParts,
  run: () => Promise<T>,
): Promise<T> {
  return withSarifReport(file, run, (result) => huntFinds(findsOf(result), program, problemOf(result)));
}

/** Returns why not all was found out; undefined when it was. */
function problemOf(result: HuntResult): string | undefined {
  if (result.found && result.others === undefined) return undefined;
  return result.endedBy === 'stop' ? 'the hunt was interrupted' : notJudgedSentence(result);
}

/**
 * Returns what was found in the format of SARIF 2.1.0.
 * @param problem why not all was found out
 */
export function sarifOf(
  found: readonly HuntFound[],
  program: SarifParts['program'],
  problem: string | undefined,
): object {
  return sarifLog(huntFinds(found, program, problem));
}

function huntFinds(
  found: readonly HuntFound[],
  program: SarifParts['program'],
  problem: string | undefined,
): Parameters<typeof sarifLog>[0] {
  const names = [...new Set(found.map(({ verdictName }) => verdictName))];
  const rules = names.map((id) => ({ id, shortDescription: { text: `The verdict ${id} of a hunt` } }));
  return { rules, results: found.map((each) => resultOf(each, names, program)), problem };
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
    locations: first ? [sarifLocation(first)] : [],
    relatedLocations: others.map((place, id) => ({
      id,
      message: { text: place.text },
      ...sarifLocation(place),
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
  const file = programFile(program);
  return file === undefined ? [] : [{ file, line: 1, text: verdict }];
}

/** @param line such as `src/shop.ts:41` */
function placeOf(line: string): Pick<Place, 'file' | 'line'> {
  const colon = line.lastIndexOf(':');
  return { file: line.slice(0, colon), line: Number(line.slice(colon + 1)) };
}
