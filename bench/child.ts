import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../protocol/package-root.ts';

/** A child process that handles requests; its side is processes/parent-requests.ts. */
export interface Child {
  pid: number;
  ask<T = void>(what: string, given?: unknown): Promise<T>;
  /** Asks the process to exit, and kills it after a timeout. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Folder for a CPU profile of the process. */
  profileDir?: string | undefined;
  exposeGc?: boolean;
  /** Folder of another checkout, built, whose program of this name is started. */
  checkout?: string | undefined;
}

interface Answer {
  id: number;
  value?: unknown;
  problem?: string;
}

const STOP_MS = 10_000;

/** Starts a program of bench/processes. It is killed when this process exits. */
export function startChild(program: string, options: ChildOptions = {}): Child {
  const { profileDir, exposeGc, checkout = packageRoot() } = options;
  if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
  const child = fork(join(checkout, 'dist/bench/processes', `${program}.js`), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [
      ...(exposeGc ? ['--expose-gc'] : []),
      ...(profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]),
    ],
  });
  const { ask, ended } = questionsTo(child, program);
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);

  return {
    pid: child.pid!,
    ask,
    async stop() {
      // An exiting process does not reply.
      ask('stop').catch(() => {});
      const patience = setTimeout(kill, STOP_MS);
      await ended;
      clearTimeout(patience);
      process.removeListener('exit', kill);
      assertProfiled(profileDir, child.pid!);
    },
  };
}

/** @throws Error when a process that has ended wrote no CPU profile into the folder: one that is killed writes none */
export function assertProfiled(profileDir: string | undefined, pid: number): void {
  if (profileDir === undefined || readdirSync(profileDir).some((name) => name.includes(`.${pid}.`))) return;
  throw new Error(`process ${pid} wrote no CPU profile into ${profileDir}`);
}

/**
 * Returns the function that asks a process which handles requests of its parent.
 * @param program its name in what is thrown
 */
export function questionsTo(
  child: ChildProcess,
  program: string,
): { ask: Child['ask']; ended: Promise<void> } {
  const unanswered = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on('message', (message) => {
    const { id, value, problem } = message as Answer;
    const waiting = unanswered.get(id);
    unanswered.delete(id);
    if (problem === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(`${program}: ${problem}`));
  });
  const ended = once(child, 'exit').then(() => {
    for (const { reject } of unanswered.values()) reject(new Error(`${program} ended too early`));
  });
  const ask = (what: string, given?: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId;
      unanswered.set(id, { resolve, reject });
      child.send({ id, what, given });
    });
  return { ask: ask as Child['ask'], ended };
}
