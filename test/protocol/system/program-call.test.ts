import { expect, test } from 'vitest';
import { programCall } from '../../../protocol/system/program-call.ts';

const NPM = String.raw`C:\Program Files\nodejs\npm.CMD`;
const ENV = {
  Path: String.raw`C:\Windows;C:\Program Files\nodejs`,
  PATHEXT: '.EXE;.CMD',
  ComSpec: String.raw`C:\Windows\cmd.exe`,
};

const onWindows = (env: Record<string, string>, ...files: string[]) => ({
  system: 'win32' as const,
  env,
  exists: (path: string) => files.includes(path),
});

test.each(['linux', 'darwin'] as const)('programCall: on %s the system finds the program', (system) => {
  const exists = () => expect.unreachable();
  expect(programCall('npm', ['test', 'a b'], { system, env: ENV, exists })).toEqual({
    file: 'npm',
    words: ['test', 'a b'],
    options: {},
  });
});

test('programCall: on Windows a batch file in PATH is run by cmd.exe, with its words in quotation marks', () => {
  const call = programCall('npm', ['test', 'a & b', 'C:\\folder\\'], onWindows(ENV, NPM));
  expect(call).toEqual({
    file: ENV.ComSpec,
    words: ['/d', '/s', '/c', String.raw`""${NPM}" "test" "a & b" "C:\folder\\""`],
    options: { windowsVerbatimArguments: true },
  });
});

test('programCall: on Windows a program is run as it is, also one before a batch file of its name', () => {
  const plain = { file: 'npm', words: ['"'], options: {} };
  const program = String.raw`C:\Program Files\nodejs\npm.EXE`;
  expect(programCall('npm', ['"'], onWindows(ENV, NPM, program))).toEqual(plain);
  expect(programCall('npm', ['"'], onWindows(ENV))).toEqual(plain);
  expect(programCall('npm', ['"'], onWindows({}))).toEqual(plain);
});

test('programCall: on Windows a batch file is found by a path and by its whole name', () => {
  const path = String.raw`.\tools\run.cmd`;
  const found = String.raw`tools\run.cmd`;
  expect(programCall(path, [], onWindows({}, found))).toMatchObject({
    file: 'cmd.exe',
    words: ['/d', '/s', '/c', `""${found}""`],
  });
});

test.each(['say "hi"', '%PATH%', 'a\nb'])(
  'programCall: on Windows a batch file is refused the word %j',
  (word) => {
    expect(() => programCall('npm', [word], onWindows(ENV, NPM))).toThrow(
      expect.objectContaining({
        code: 'bad_setting',
        message: expect.stringContaining('npm is a batch file'),
      }),
    );
  },
);
