import { expect, test } from 'vitest';
import { junitSuites } from '../../testing/reporter/junit-report.ts';
import type { ReportError, ReportFile, ReportTest } from '../../testing/reporter/report-data.ts';

const error = (message: string): ReportError => ({
  message,
  diff: '- 1\n+ 2',
  stack: [{ method: 'sell', file: 'shop.ts', line: 3, column: 7 }],
  source: null,
});

function shownTest(name: string, state: ReportTest['state'], errors: ReportError[] = []): ReportTest {
  return { id: name, name, state, durationMs: 12, errors, console: [], steps: 0, hunts: [], traces: [] };
}

function file(more: Partial<ReportFile>): ReportFile {
  return { path: 'shop.test.ts', project: '', errors: [], tests: [], packet: null, ...more };
}

const DETAILS = '- 1\n+ 2\n  at sell shop.ts:3:7';

test('junitSuites: shows each test by its state; one that did not end is an error', () => {
  const tests = [
    shownTest('', 'passed'),
    shownTest('sells', 'passed'),
    shownTest('loses', 'failed', [error('17.42 lost')]),
    shownTest('waits', 'skipped'),
    shownTest('hangs', 'running'),
  ];
  const [suite, ...others] = junitSuites({ files: [file({ project: 'unit', tests })] }, [], []);
  expect(others).toEqual([]);
  expect(suite).toMatchObject({ name: 'unit: shop.test.ts' });
  expect(suite!.cases.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['sells', { kind: 'passed' }],
    ['loses', { kind: 'failed', message: '17.42 lost', details: `17.42 lost\n${DETAILS}` }],
    ['waits', { kind: 'skipped' }],
    ['hangs', { kind: 'error', message: 'the run ended before this test' }],
  ]);
});

test('junitSuites: a run of no file is an error', () => {
  expect(junitSuites({ files: [] }, [], [])).toMatchObject([
    { name: 'the run', cases: [{ outcome: { kind: 'error', message: 'no test file was found' } }] },
  ]);
});

test('junitSuites: a file that did not load, one without tests, one that did not run and an error of the run are errors', () => {
  const files = [file({ errors: [error('no such module')] }), file({ path: 'empty.test.ts' })];
  const suites = junitSuites({ files }, ['late.test.ts'], [error('unhandled')]);
  expect(suites.map(({ name, cases }) => [name, ...cases.map(({ outcome }) => outcome)])).toEqual([
    ['shop.test.ts', { kind: 'error', message: 'no such module', details: `no such module\n${DETAILS}` }],
    ['empty.test.ts', expect.objectContaining({ kind: 'error', message: 'the file has no test' })],
    ['late.test.ts', { kind: 'error', message: 'the run ended before this file' }],
    ['the run', { kind: 'error', message: 'unhandled' }],
  ]);
});
