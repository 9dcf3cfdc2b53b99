import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './wait-for.ts';

// Where Debian's pcscd is found by its clients, so that a machine has one daemon at a time.
const SOCKET = '/run/pcscd/pcscd.comm';
const LOCK = join(tmpdir(), 'tapbench-pcscd.lock');
// As long as the tests of another file take.
const TURN_MS = 100_000;

/** Debian's pcscd with one reader. */
interface Pcscd {
  /** What it has printed. */
  readonly output: string;
  /** Stops the daemon. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the daemon and lets the next test have one. */
  close(): Promise<void>;
}

/** Starts pcscd with a reader, as soon as no other test has one. */
export async function startPcscd(reader: Record<string, string>): Promise<Pcscd> {
  await waitFor('the turn to run pcscd', takeLock, TURN_MS);
  const folder = mkdtempSync(join(tmpdir(), 'pcscd-'));
  writeFileSync(
    join(folder, 'reader'),
    Object.entries(reader)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  let output = '';
  let stop = async () => {};
  const start = async () => {
    await clearSocket();
    const daemon = spawn('pcscd', ['--foreground', '--error', '--config', folder]);
    daemon.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    daemon.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise((resolve) => daemon.on('close', resolve));
    stop = async () => {
      daemon.kill('SIGTERM');
      await ended;
    };
    await waitFor('pcscd listens', () => existsSync(SOCKET) || daemon.exitCode !== null);
  };
  const close = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(LOCK, { force: true });
  };
  await start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    get output() {
      return output;
    },
    stop: () => stop(),
    start,
    close,
  };
}

/** Writes the lock unless another process that lives has it. */
function takeLock(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isHeld()) rmSync(LOCK, { force: true });
    return false;
  }
}

function isHeld(): boolean {
  try {
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

/** A pcscd that was killed leaves its socket behind, and the next one refuses to start. */
async function clearSocket(): Promise<void> {
  const listens = await new Promise<boolean>((resolve) => {
    const socket = connect(SOCKET);
    socket.on('connect', () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });
  if (listens) throw new Error('a pcscd runs already, and there can be one only: stop it for this test');
  rmSync(SOCKET, { force: true });
}
