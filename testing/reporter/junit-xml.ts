import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../protocol/system/make-folder.ts';

/** What came of a test: `error` when it could not be found out. */
type JunitOutcome =
  | { kind: 'passed' }
  | { kind: 'failed' | 'error'; message: string; details?: string }
  | { kind: 'skipped'; message?: string };

export interface JunitCase {
  /** Groups the cases of a suite, as the class of a test does in Java. */
  className: string;
  name: string;
  durationMs: number;
  outcome: JunitOutcome;
}

export interface JunitSuite {
  name: string;
  cases: readonly JunitCase[];
}

/**
 * Returns results in the format that JUnit's tools for Ant and Maven write and GitLab, Jenkins and Azure read: numbers of tests,
 * failures, errors and skipped ones, and seconds.
 * @param madeAtMs epoch milliseconds
 */
function junitXml(suites: readonly JunitSuite[], madeAtMs: number): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'tapbench', ...countsOf(all) })}>`,
    ...suites.flatMap((suite) => suiteLines(suite, madeAtMs)),
    '</testsuites>',
    '',
  ].join('\n');
}

/** Writes results into a file, whose folder is created. @throws when it cannot be written */
export function writeJunitFile(path: string, suites: readonly JunitSuite[], madeAtMs: number): void {
  makeFolder(dirname(path));
  writeFileSync(path, junitXml(suites, madeAtMs));
}

function suiteLines({ name, cases }: JunitSuite, madeAtMs: number): string[] {
  const timestamp = new Date(madeAtMs).toISOString().slice(0, 19);
  const counts = { ...countsOf(cases), timestamp };
  return [`  <testsuite${attributes({ name, ...counts })}>`, ...cases.flatMap(caseLines), '  </testsuite>'];
}

function countsOf(cases: readonly JunitCase[]): Record<string, string> {
  const count = (kind: JunitOutcome['kind']) =>
    String(cases.filter(({ outcome }) => outcome.kind === kind).length);
  return {
    tests: String(cases.length),
    failures: count('failed'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function caseLines({ className, name, durationMs, outcome }: JunitCase): string[] {
  const open = `    <testcase${attributes({ classname: className, name, time: seconds(durationMs) })}`;
  if (outcome.kind === 'passed') return [`${open}/>`];
  return [`${open}>`, `      ${outcomeElement(outcome)}`, '    </testcase>'];
}

function outcomeElement(outcome: Exclude<JunitOutcome, { kind: 'passed' }>): string {
  if (outcome.kind === 'skipped')
    return `<skipped${attributes(outcome.message === undefined ? {} : { message: outcome.message })}/>`;
  const { message, details = message } = outcome;
  const element = outcome.kind === 'failed' ? 'failure' : 'error';
  return `<${element}${attributes({ message, type: outcome.kind })}>${escaped(details)}</${element}>`;
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escaped(value).replaceAll(/[\t\n\r]/g, (found) => `&#${found.charCodeAt(0)};`)}"`,
    )
    .join('');
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

// Escape sequences with which terminals are coloured.
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001B\[[\d;]*m/g;
// XML 1.0 §2.2 has no other character, not even as a reference; halves of a pair that stand alone are none either.
// oxlint-disable-next-line no-control-regex
const NO_CHARACTERS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text
    .replaceAll(COLOURS, '')
    .replaceAll(NO_CHARACTERS, '\uFFFD')
    .replaceAll(/[&<>"']/g, (found) => ENTITIES[found]!);
}
