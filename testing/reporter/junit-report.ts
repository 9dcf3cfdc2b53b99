import type { JunitCase, JunitSuite } from './junit-xml.ts';
import type { ReportData, ReportError, ReportFile, ReportTest } from './report-data.ts';

/**
 * Returns the tests of a run as suites of JUnit, one for each file. What did not run or did not end is an error, and so is a
 * run of no file.
 * @param notRun paths of the files that the run did not come to
 * @param errors of the run, outside its files
 */
export function junitSuites(
  { files }: Pick<ReportData, 'files'>,
  notRun: readonly string[],
  errors: readonly ReportError[],
): JunitSuite[] {
  const broken = (name: string, message: string): JunitSuite => ({
    name,
    cases: [{ className: name, name, durationMs: 0, outcome: { kind: 'error', message } }],
  });
  const suites = [
    ...files.map(suiteOf),
    ...notRun.map((path) => broken(path, 'the run ended before this file')),
    ...errors.map(({ message }) => broken('the run', message)),
  ];
  return suites.length > 0 ? suites : [broken('the run', 'no test file was found')];
}

function suiteOf({ path, project, errors, tests }: ReportFile): JunitSuite {
  const name = project === '' ? path : `${project}: ${path}`;
  const cases = tests.filter((test) => test.name !== '').map((test) => caseOf(name, test));
  const problems = errors.map(textOf);
  if (cases.length === 0 && problems.length === 0) problems.push('the file has no test');
  return {
    name,
    cases: [
      ...cases,
      ...problems.map((text): JunitCase => {
        const [message = ''] = text.split('\n');
        return {
          className: name,
          name: path,
          durationMs: 0,
          outcome: { kind: 'error', message, details: text },
        };
      }),
    ],
  };
}

function caseOf(className: string, { name, state, durationMs, errors }: ReportTest): JunitCase {
  return { className, name, durationMs, outcome: outcomeOf(state, errors) };
}

function outcomeOf(state: ReportTest['state'], errors: readonly ReportError[]): JunitCase['outcome'] {
  switch (state) {
    case 'passed':
    case 'skipped':
      return { kind: state };
    case 'failed':
      return {
        kind: 'failed',
        message: errors[0]?.message ?? 'it failed',
        details: errors.map(textOf).join('\n\n') || 'it failed',
      };
    case 'running':
      return { kind: 'error', message: 'the run ended before this test' };
  }
}

function textOf({ message, diff, stack }: ReportError): string {
  const frames = stack.map(({ method, file, line, column }) => `  at ${method} ${file}:${line}:${column}`);
  return [message, ...(diff === null ? [] : [diff]), ...frames].join('\n');
}
