import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { OWN_GROUP } from '../../protocol/system/process-group.ts';
import { PRIVATE_FILE } from '../../protocol/system/private-mode.ts';

/** Marks the environment of a process that a command has started detached. */
const MARK = 'TAPBENCH_DETACHED';
const OPTION = '--detach';

/** What a detached process sends to the command that started it, until it is ready. */
interface Message {
  /** What it prints when it is ready. */
  ready?: string;
  /** What it writes to standard error before. */
  error?: string;
}

/** The command that started this process detached, and waits until it is ready. */
export interface Starter {
  /** Passes on what the command prints. */
  ready(text: string): void;
  /** Passes on what is written to standard error; nothing once it is ready. */
  error(text: string): void;
}

interface ThisProcess extends Pick<NodeJS.Process, 'env' | 'connected'> {
  send?: NodeJS.Process['send'] | undefined;
}

/** Returns the command that started this process detached; undefined for a process that was started otherwise. */
export function starterOf(own: ThisProcess): Starter | undefined {
  if (own.env[MARK] === undefined || own.send === undefined) return undefined;
  // Not for programs that this process starts.
  delete own.env[MARK];
  let isReady = false;
  const send = (message: Message) => {
    // Who started it may have ended.
    if (own.connected && !isReady) own.send!(message, undefined, undefined, () => {});
  };
  return {
    ready(text) {
      send({ ready: text });
      isReady = true;
    },
    error: (text) => send({ error: text }),
  };
}

export interface DetachedProcess {
  /** File to which it appends what it prints and logs. */
  log: string;
  /** Called with what it writes to standard error before it is ready. */
  onError(text: string): void;
  /** Ends a process that is not ready yet. */
  interrupted: AbortSignal;
}

/** `ended`: how it ended before it was ready. */
export type DetachedOutcome = { ready: string } | { ended: string };

/**
 * Runs the command line of this process again, without `--detach`, in a process that goes on when this one has ended. Resolves
 * when that is ready or has ended.
 */
export function startDetached(
  { argv, execArgv, execPath, env }: Pick<NodeJS.Process, 'argv' | 'execArgv' | 'execPath' | 'env'>,
  { log, onError, interrupted }: DetachedProcess,
): Promise<DetachedOutcome> {
  const words = [...execArgv, ...argv.slice(1).filter((word) => word !== OPTION)];
  const file = openSync(log, 'a', PRIVATE_FILE);
  const child = spawn(execPath, words, {
    env: { ...env, [MARK]: '1' },
    ...OWN_GROUP,
    stdio: ['ignore', file, file, 'ipc'],
  });
  closeSync(file);
  const stop = () => void child.kill();
  interrupted.addEventListener('abort', stop, { once: true });
  return new Promise<DetachedOutcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('message', ({ ready, error }: Message) => {
      if (error !== undefined) onError(error);
      // A process that is asked to stop while it starts is awaited to its end.
      if (ready !== undefined && !interrupted.aborted) resolve({ ready });
    });
    // By then all messages have been received, as they may not have been at `exit`.
    child.on('close', (code, signal) => resolve({ ended: signal ?? `exit code ${code}` }));
    if (interrupted.aborted) stop();
  }).finally(() => {
    interrupted.removeEventListener('abort', stop);
    child.removeAllListeners('message');
    if (child.connected) child.disconnect();
    child.unref();
  });
}
