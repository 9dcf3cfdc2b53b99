import { spawn } from 'node:child_process';
import { after } from '../../../protocol/clock.ts';
import { realTime } from './wait-for.ts';

interface ProgramResult {
  code: number | null;
  /** Standard output and standard error, interleaved. */
  output: string;
}

/** Runs a program of the system to its end, or ends it after `limitMs`. */
export function runProgram(
  name: string,
  args: string[],
  {
    env = {},
    input = '',
    limitMs = 30_000,
    cwd,
  }: { env?: Record<string, string>; input?: string; limitMs?: number; cwd?: string } = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { env: { ...process.env, ...env }, cwd });
    const timer = after(realTime, limitMs, () => child.kill('SIGKILL'));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => {
      timer.cancel();
      resolve({ code, output });
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
