import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delay, SystemClock } from '../../../protocol/clock.ts';
import type { AclFile } from '../../../server/platform/broker/external-broker.ts';

const realTime = new SystemClock();

export interface ChildBroker {
  /** URL of its MQTT port. */
  url: string;
  /** Sends SIGHUP, at which a broker may read its files again. */
  sighup(): void;
  /** Ends it by `kill -9`; does nothing when it has ended. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Writes files into a temporary directory that only this user may read. */
export function temporaryFiles(files: AclFile[]): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'tapbench-broker-'));
  for (const { filename, text } of files) writeFileSync(join(directory, filename), text, { mode: 0o600 });
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

interface ListenerOptions {
  cwd: string;
  /** Port of the loopback that it is to listen on. */
  port: number;
  env?: Record<string, string>;
  readyWithinMs?: number;
}

/** Runs a broker until it is stopped; resolves once it takes connections. */
export async function runBroker(
  command: string,
  args: string[],
  options: ListenerOptions,
): Promise<ChildBroker> {
  return { url: `mqtt://127.0.0.1:${options.port}`, ...(await startListener(command, args, options)) };
}

/**
 * Runs a program until it is stopped; resolves once it takes connections.
 * @throws when it ends before, with what it printed
 */
export async function startListener(
  command: string,
  args: string[],
  options: ListenerOptions,
): Promise<Pick<ChildBroker, 'sighup' | 'kill' | 'stop'>> {
  const child = spawn(command, args, { cwd: options.cwd, env: { ...process.env, ...options.env } });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  child.on('error', (error) => (printed += error.message));
  const endMs = realTime.nowMs() + (options.readyWithinMs ?? 10_000);
  while (!(await takesConnections(options.port))) {
    if (child.exitCode !== null || child.pid === undefined || realTime.nowMs() > endMs) {
      child.kill('SIGKILL');
      throw new Error(`${command} is not ready: ${printed}`);
    }
    await delay(realTime, 20);
  }
  return {
    sighup: () => void child.kill('SIGHUP'),
    kill: () => ended(child, 'SIGKILL'),
    stop: () => ended(child, 'SIGTERM'),
  };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
