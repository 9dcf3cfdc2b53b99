import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeJunitFile, type JunitSuite } from '../../testing/reporter/junit-xml.ts';

function written(suites: JunitSuite[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-junit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'results', 'junit.xml');
  writeJunitFile(path, suites, Date.UTC(2026, 0, 5, 9, 30));
  return readFileSync(path, 'utf8');
}

test('writeJunitFile: counts each outcome, and gives each its element', () => {
  const one = { className: 'shop', durationMs: 1234 };
  const text = written([
    {
      name: 'sales',
      cases: [
        { ...one, name: 'sells', outcome: { kind: 'passed' } },
        {
          ...one,
          name: 'loses',
          outcome: { kind: 'failed', message: '17.42 lost', details: 'line 1\nline 2' },
        },
        { ...one, name: 'breaks', outcome: { kind: 'error', message: 'no server' } },
        { ...one, name: 'waits', outcome: { kind: 'skipped', message: 'not reached' } },
      ],
    },
  ]);
  const counts = 'tests="4" failures="1" errors="1" skipped="1" time="4.936"';
  expect(text.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="tapbench" ${counts}>`,
    `  <testsuite name="sales" ${counts} timestamp="2026-01-05T09:30:00">`,
    '    <testcase classname="shop" name="sells" time="1.234"/>',
    '    <testcase classname="shop" name="loses" time="1.234">',
    '      <failure message="17.42 lost" type="failed">line 1',
    'line 2</failure>',
    '    </testcase>',
    '    <testcase classname="shop" name="breaks" time="1.234">',
    '      <error message="no server" type="error">no server</error>',
    '    </testcase>',
    '    <testcase classname="shop" name="waits" time="1.234">',
    '      <skipped message="not reached"/>',
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('writeJunitFile: escapes markup, keeps line breaks of a message, and drops colours and what is no character of XML', () => {
  const message = '\u001B[31m<a href="x">&\'\u001B[39m\ntwo\u0000\uD800\u{1F4B3}]]>';
  const text = written([
    {
      name: '"&"',
      cases: [{ className: 'c', name: 'n', durationMs: 0, outcome: { kind: 'failed', message } }],
    },
  ]);
  const escaped = '&lt;a href=&quot;x&quot;&gt;&amp;&apos;';
  const end = 'two\uFFFD\uFFFD\u{1F4B3}]]&gt;';
  expect(text).toContain('name="&quot;&amp;&quot;"');
  expect(text).toContain(
    `<failure message="${escaped}&#10;${end}" type="failed">${escaped}\n${end}</failure>`,
  );
});
