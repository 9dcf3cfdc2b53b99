import { spawn } from 'node:child_process';
import { after } from '../../protocol/clock.ts';
import { realTime } from './patience.ts';

interface Ran {
  code: number | null;
  /** What it said, to either of its outputs, in the order it came. */
  said: string;
}

/** Runs a program of the system to its end, or ends it after `limitMs`. */
export function runProgram(
  name: string,
  args: string[],
  {
    env = {},
    input = '',
    limitMs = 30_000,
  }: { env?: Record<string, string>; input?: string; limitMs?: number } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { env: { ...process.env, ...env } });
    const timer = after(realTime, limitMs, () => child.kill('SIGKILL'));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', reject);
    child.on('close', (code) => {
      timer.cancel();
      resolve({ code, said });
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
