import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../protocol/package-root.ts';
import { assertProfiled, questionsTo } from './child.ts';
import type { Holdings } from './processes/usage-probe.ts';

/** `tapbench up` as a process. */
interface SuiteServer {
  url: string;
  secretKey: string;
  /** CPU time of the process since its start, milliseconds, in steps of ten. */
  cpuMs(): number;
  holdings(): Promise<Holdings>;
  close(): Promise<void>;
}

interface SuiteServerOptions {
  /** Folder of the checkout whose command is started. */
  checkout: string;
  dataDir: string;
  profileDir: string | undefined;
}

const PROBE = pathToFileURL(join(packageRoot(), 'dist/bench/processes/usage-probe.js')).href;
const STOP_MS = 10_000;

/** Starts the command of a checkout. It is killed when this process exits. */
export async function startSuiteServer({
  checkout,
  dataDir,
  profileDir,
}: SuiteServerOptions): Promise<SuiteServer> {
  if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
  const child = fork(join(checkout, 'dist/cli/main.js'), ['up', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [
      '--expose-gc',
      '--import',
      PROBE,
      ...(profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]),
    ],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', RATE_LIMIT: 'off' },
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const { ask, ended } = questionsTo(child, 'tapbench up');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout!), 'line'),
    ended.then(() => {
      throw new Error('tapbench up did not start');
    }),
  ])) as [string];
  const { url, secretKey } = JSON.parse(line) as { url: string; secretKey: string };
  return {
    url,
    secretKey,
    cpuMs: () => cpuMsOf(child.pid!),
    holdings: () => ask<Holdings>('holdings'),
    async close() {
      child.kill('SIGTERM');
      // The channel would keep it running, and a killed process writes no profile.
      child.disconnect();
      const patience = setTimeout(kill, STOP_MS);
      await ended;
      clearTimeout(patience);
      process.removeListener('exit', kill);
      assertProfiled(profileDir, child.pid!);
    },
  };
}

// Linux counts in hundredths of a second, whatever the kernel's own timer is.
const TICK_MS = 10;

/** Reads the time that a process has taken in user and system mode (proc_pid_stat(5)). */
export function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = [fields[11], fields[12]].map(Number);
  return (userTicks! + systemTicks!) * TICK_MS;
}
