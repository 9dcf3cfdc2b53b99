import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, type Clock } from '../../protocol/clock.ts';
import { errorCode, Fault, messageOf } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';

const FILE = 'process.json';
const HOST = '127.0.0.1';
const REPLY = 'stopping\n';
// Longer than any line that is accepted.
const LINE_MAX = 200;

/** What a data folder says about the process that has it. `pid` is for messages: nothing is sent to a process by its id. */
interface RunningProcess {
  pid: number;
  port: number;
  /** Who knows it may stop the process. */
  key: string;
}

interface StopPort {
  /** Resolves when a caller with the key has asked the process to stop. */
  asked: Promise<void>;
  /** Accepts no further connection. A caller that has asked stays connected until the process ends. */
  close(): void;
}

/**
 * Opens a port on which a command asks this process to stop, and writes it into the data folder, which the process must
 * have locked. A port and not a signal: a process id may belong to another process by now, and Windows has no SIGTERM.
 * @throws when the port cannot be opened or the file not be written
 */
export async function openStopPort(dataDir: string, key: string): Promise<StopPort> {
  let ask!: () => void;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const server = createServer((socket) => {
    socket.unref().on('error', () => {});
    readLine(socket, (line) => {
      if (!isSame(line, key)) return socket.destroy();
      socket.write(REPLY);
      ask();
    });
  }).unref();
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Fault('bad_setting', 'no port to stop on');
  const { port } = address;
  const running: RunningProcess = { pid: process.pid, port, key };
  const path = join(dataDir, FILE);
  replaceFile(path, `${JSON.stringify(running)}\n`);
  return {
    asked,
    close() {
      rmSync(path, { force: true });
      server.close();
    },
  };
}

function readLine(socket: Socket, use: (line: string) => void): void {
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    const end = text.indexOf('\n');
    if (end === -1 && text.length < LINE_MAX) return;
    socket.removeAllListeners('data');
    use(text.slice(0, Math.max(end, 0)));
    socket.resume();
  });
}

function isSame(given: string, key: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Returns the process that a data folder names; undefined when it names none.
 * @throws Fault `data_folder` when the file cannot be read or is not valid
 */
export function readRunningProcess(dataDir: string): RunningProcess | undefined {
  const path = join(dataDir, FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Fault('data_folder', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const running = processIn(text);
  if (running !== undefined) return running;
  throw new Fault('data_folder', `${path} names no process: delete it`);
}

function processIn(text: string): RunningProcess | undefined {
  try {
    const named: unknown = parseOutsideJson(text);
    if (typeof named !== 'object' || named === null || !('pid' in named && 'port' in named && 'key' in named))
      return undefined;
    const { pid, port, key } = named;
    const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535;
    return typeof pid === 'number' && isPort && typeof key === 'string' ? { pid, port, key } : undefined;
  } catch {
    return undefined;
  }
}

/** `absent`: nothing listens there any more, or something else. `silent`: what listens there did not reply in time. */
type StopOutcome = 'stopped' | 'absent' | 'silent' | 'timed_out';

/** Asks a process to stop, and waits until it has ended. */
export async function askToStop(
  { port, key }: Pick<RunningProcess, 'port' | 'key'>,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<StopOutcome> {
  const socket = connect({ host: HOST, port });
  let reply = '';
  let isLate = false;
  socket.setEncoding('utf8').on('data', (text: string) => {
    reply = (reply + text).slice(0, LINE_MAX);
    // Something else, which may never close it.
    if (!REPLY.startsWith(reply)) socket.destroy();
  });
  socket.on('error', () => {});
  socket.on('connect', () => void socket.write(`${key}\n`));
  const timer = after(clock, timeoutMs, () => {
    isLate = true;
    socket.destroy();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  timer.cancel();
  if (reply === REPLY) return isLate ? 'timed_out' : 'stopped';
  return isLate ? 'silent' : 'absent';
}
