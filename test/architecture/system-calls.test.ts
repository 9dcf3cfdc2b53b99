import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

const FOLDER = 'protocol/system/';
const SCRIPTS = join(import.meta.dirname, '../../scripts');
const SOURCES = readSources(['agent', 'cli', 'protocol', 'server', 'simulator', 'testing', 'world']);

/**
 * What Linux, macOS and Windows do differently, as sources write it. The files of protocol/system say what each does; another
 * file has a reason here.
 */
const CALLS: Record<string, { pattern: RegExp; others?: Record<string, string> }> = {
  'asks for the system': { pattern: /\bprocess\.platform\b|\bTHIS_SYSTEM\b|\bplatform\(\)/ },
  'names a system': { pattern: /'(win32|darwin|linux)'/ },
  'syncs a folder': { pattern: /\bfsync(Sync)?\b|\bfolder\.sync\(/i },
  'renames a file': {
    pattern: /\brename(Sync)?\(/,
    others: {
      'cli/process/compile-cache.ts':
        'starts without the entry where it fails, and is loaded before all else',
      'simulator/twins/pty.ts': 'replaces a link, on systems with ptys',
    },
  },
  'deletes a folder': { pattern: /\brecursive: true, force: true\b/ },
  'sets the mode of a private file': { pattern: /\b0o[67]00\b/ },
  'starts a program': {
    pattern: /\b(spawn|exec|execFile|fork)(Sync)?\b[^;]*from 'node:child_process'/,
    others: {
      'cli/command-line/run-command.ts': 'by programCall',
      'cli/process/detached-process.ts': 'Node itself, in a group of its own',
      'simulator/twins/pty.ts': 'socat, on systems with ptys',
      'testing/hunt/command/shop-process.ts': 'the shell of the system, in a group of its own',
    },
  },
  'sends a signal to a process by its id': { pattern: /\bprocess\.kill\(/ },
  'names a signal': { pattern: /'SIG(INT|TERM|HUP|BREAK|QUIT|KILL|USR[12])'/ },
};

test.each(Object.entries(CALLS))(
  'system calls: a file outside protocol/system that %s has a reason',
  (_, call) => {
    const found = SOURCES.filter(({ text }) => call.pattern.test(withoutComments(text))).map(
      ({ path }) => path,
    );
    const outside = found.filter((path) => !path.startsWith(FOLDER));
    expect(
      outside.toSorted(),
      'call what protocol/system has for it, or add a file there that says what each system does',
    ).toEqual(Object.keys(call.others ?? {}).toSorted());
    expect(found.length, 'no file does that: the pattern finds nothing').toBeGreaterThan(0);
  },
);

test('system calls: each file of protocol/system that asks for the system has a test of the three', () => {
  const asking = SOURCES.filter(
    ({ path, text }) =>
      path.startsWith(FOLDER) && /\bTHIS_SYSTEM\b/.test(text) && !path.endsWith('this-system.ts'),
  );
  const tests = new Map(readSources(['test/protocol/system']).map(({ path, text }) => [path, text]));
  const untested = asking
    .map(({ path }) => ({ path, text: tests.get(`test/${path.replace(/\.ts$/, '.test.ts')}`) ?? '' }))
    .filter(({ text }) => ["'linux'", "'darwin'", "'win32'"].some((system) => !text.includes(system)));
  expect(asking.length).toBeGreaterThan(10);
  expect(untested.map(({ path }) => path)).toEqual([]);
});

test('system calls: the scripts that ask for the system are for contributors, and say what Windows does', () => {
  const asking = readdirSync(SCRIPTS)
    .filter((name) => name.endsWith('.mjs'))
    .filter((name) => readFileSync(join(SCRIPTS, name), 'utf8').includes('process.platform'));
  // The link of the command is tested for Windows by test/scripts/link-command.test.ts; npm is a batch file there.
  expect(asking.toSorted()).toEqual(['build.mjs', 'link-command.mjs', 'new.mjs']);
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
}
