import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommand, startProgram, type Child, type ChildOptions, type Ended } from './child-command.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { startTapbench, type StartOptions, type Tapbench } from './tapbench.ts';

/** Starts processes and creates folders for a test, and removes all of them at its end. */
export interface SystemFixture {
  /** Creates a temporary folder with mode 0700. */
  folder(): string;
  /** Starts `tapbench up`, with its own data folder by default, and resolves when it is ready. */
  tapbench(options?: StartOptions & { dataDir?: string }): Promise<Tapbench>;
  /** Starts a command of tapbench. */
  command(args: string[], options?: ChildOptions): Child;
  /** Runs a command of tapbench to its end. */
  run(args: string[], options?: ChildOptions): Promise<Ended>;
  program(program: string, args: string[], options?: ChildOptions): Child;
  receiver(): Promise<Receiver>;
  /** Adds a function that `cleanUp` calls. */
  onCleanUp(cleanup: () => Promise<unknown> | void): void;
  /** Ends and removes everything, latest first. */
  cleanUp(): Promise<void>;
}

export function createSystemFixture(): SystemFixture {
  const cleanups: (() => Promise<unknown> | void)[] = [];
  const killLater = <C extends Child>(child: C): C => {
    cleanups.push(() => child.kill('SIGKILL').catch(() => {}));
    return child;
  };
  const fixture: SystemFixture = {
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'tapbench-system-'));
      chmodSync(folder, 0o700);
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    async tapbench({ dataDir = fixture.folder(), ...options } = {}) {
      const tapbench = await startTapbench(dataDir, options);
      cleanups.push(() => tapbench.kill());
      return tapbench;
    },
    command: (args, options) => killLater(startCommand(args, options)),
    run: (args, options) => fixture.command(args, options).ended,
    program: (program, args, options) => killLater(startProgram(program, args, options)),
    async receiver() {
      const receiver = await openReceiver();
      cleanups.push(() => receiver.close());
      return receiver;
    },
    onCleanUp: (cleanup) => void cleanups.push(cleanup),
    async cleanUp() {
      for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
    },
  };
  return fixture;
}
