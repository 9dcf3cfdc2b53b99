import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN, type ChildOptions, type Ended } from '../kit/child-command.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';
import { typeLine, type TypedLine } from '../kit/terminal-window.ts';
import { installStandIns } from './stand-ins.ts';

const PACKAGE = join(import.meta.dirname, '../../..');

/** A folder of a user in which tapbench is installed, and command lines that run in it. */
export interface Project {
  folder: string;
  /** Folder and environment of each line. */
  environment: { cwd: string; env: Record<string, string> };
  /** Runs a line to its end. @throws when it fails */
  run(line: string): Promise<Ended>;
  /** Starts a line. */
  type(line: string, input?: ChildOptions['input']): TypedLine;
  write(name: string, text: string): void;
  read(name: string): string;
  /** Returns how the programs were called that stand in for those of the system. */
  calls(): string[];
}

/** Creates a project whose lines have these variables. */
export function createProject(fixture: SystemFixture, variables: Record<string, string>): Project {
  const folder = installPackage(fixture);
  const calls = join(folder, 'calls');
  const env = {
    PATH: `${join(folder, 'node_modules/.bin')}:${installStandIns(folder)}:${process.env['PATH']}`,
    CALLS: calls,
    TMPDIR: folder,
    // Its browser is a stand-in.
    DISPLAY: ':0',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_logs_max: '0',
    ...variables,
  };
  const environment = { cwd: folder, env };
  const type: Project['type'] = (line, input = '') => typeLine(fixture, line, { ...environment, input });
  return {
    folder,
    environment,
    type,
    async run(line) {
      const ended = await type(line).child.ended;
      if (ended.code !== 0) throw new Error(`${line}: ended with ${ended.code}: ${ended.stderr}`);
      return ended;
    },
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  };
}

/** Creates a folder in which `tapbench` and `npx tapbench` are the build, and which has tests to run. */
function installPackage(fixture: SystemFixture): string {
  const folder = fixture.folder();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(MAIN, join(bin, 'tapbench'));
  symlinkSync(PACKAGE, join(folder, 'node_modules/tapbench'));
  const scripts = { test: 'echo the tests pass', e2e: 'echo the tests pass' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', scripts }));
  return folder;
}
