import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommand, startProgram, type Child, type ChildOptions, type Ended } from './child-command.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { startTapbench, type StartOptions, type Tapbench } from './tapbench.ts';

/** Where a test puts what it starts, so that all of it is gone when the test is. */
export interface Workbench {
  /** A fresh folder for the owner alone. */
  folder(): string;
  /** The command, ready, on a folder of its own unless one is named. */
  tapbench(options?: StartOptions & { dataDir?: string }): Promise<Tapbench>;
  command(args: string[], options?: ChildOptions): Child;
  /** A command to its end. */
  run(args: string[], options?: ChildOptions): Promise<Ended>;
  program(program: string, args: string[], options?: ChildOptions): Child;
  receiver(): Promise<Receiver>;
  /** Something else that has to be undone. */
  later(undo: () => Promise<unknown> | void): void;
  /** Ends everything, latest first. */
  clear(): Promise<void>;
}

export function openWorkbench(): Workbench {
  const undos: (() => Promise<unknown> | void)[] = [];
  const kept = <C extends Child>(child: C): C => {
    undos.push(() => child.kill('SIGKILL').catch(() => {}));
    return child;
  };
  const bench: Workbench = {
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'tapbench-system-'));
      chmodSync(folder, 0o700);
      undos.push(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    async tapbench({ dataDir = bench.folder(), ...options } = {}) {
      const tapbench = await startTapbench(dataDir, options);
      undos.push(() => tapbench.kill());
      return tapbench;
    },
    command: (args, options) => kept(startCommand(args, options)),
    run: (args, options) => bench.command(args, options).ended,
    program: (program, args, options) => kept(startProgram(program, args, options)),
    async receiver() {
      const receiver = await openReceiver();
      undos.push(() => receiver.close());
      return receiver;
    },
    later: (undo) => void undos.push(undo),
    async clear() {
      for (let undo = undos.pop(); undo; undo = undos.pop()) await undo();
    },
  };
  return bench;
}
