import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { messageOf } from '../../../protocol/failures.ts';
import { freePort } from '../../kit/free-port.ts';
import { waitFor } from '../kit/wait-for.ts';

const run = promisify(execFile);

/** Processes of a killed server notice its end when they next wait for it. */
const PROCESSES_END_MS = 60_000;

/** Debian keeps each version's programs apart, off the PATH. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql';

export interface PostgresServer {
  /** A database that exists, empty. */
  url: string;
  /** Creates another database on the same server: empty, or a copy of one that has no connections. */
  freshDatabase(copyOf?: string): Promise<string>;
  /** Returns the id of its first process, the parent of all others. */
  pid(): number;
  /** Ends its first process by `kill -9`; the others end when they notice. */
  kill(): Promise<void>;
  /** Starts it again on the same port after it was killed, and resolves once it has recovered what was committed. */
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

interface User {
  uid?: number;
  gid?: number;
}

/**
 * A PostgreSQL of its own: a new cluster in a temporary folder, on a free port of 127.0.0.1.
 * @param durable whether what is committed is synced to disk, as by default in production
 * @throws when Debian's `postgresql` is not installed.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const programs = await findPrograms();
  const user = await unprivilegedUser();
  const folder = await mkdtemp(join(tmpdir(), 'tapbench-postgres-'));
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid!);
  const data = join(folder, 'data');
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    {
      ...user,
      cwd: folder,
    },
  );
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    // Nobody cuts this machine's power in a test, so nothing waits for its disk.
    fsync: durable ? 'on' : 'off',
    log_min_messages: 'log', // its own doings, not every transaction that it refuses
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = () =>
    startServer(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...options], {
      ...user,
      cwd: folder,
    });
  let server = await start();

  let databases = 0;
  async function freshDatabase(copyOf?: string): Promise<string> {
    const name = `tapbench_${++databases}`;
    const template = copyOf === undefined ? [] : ['-T', new URL(copyOf).pathname.slice(1)];
    const address = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
    await run(join(programs, 'createdb'), [...address, ...template, name]);
    return `postgres://postgres@127.0.0.1:${port}/${name}`;
  }
  return {
    url: await freshDatabase(),
    freshDatabase,
    pid: () => server.pid!,
    kill: () => ended(server, 'SIGKILL'),
    async start() {
      const endedAll = () =>
        start().catch((thrown: unknown) => {
          if (!messageOf(thrown).includes('is still in use')) throw thrown;
          return undefined;
        });
      server = await waitFor('the processes of the killed PostgreSQL to end', endedAll, PROCESSES_END_MS);
    },
    async stop() {
      await ended(server, 'SIGINT'); // fast shutdown: ends what is connected
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @throws Error when they are not installed */
export async function findPrograms(): Promise<string> {
  const versions = await readdir(DEBIAN_VERSIONS).catch(() => []);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (!newest) throw new Error(`no PostgreSQL under ${DEBIAN_VERSIONS}: apt-get install postgresql`);
  return join(DEBIAN_VERSIONS, newest, 'bin');
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
export async function unprivilegedUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Starts a server and resolves when it takes connections. @throws when it ends before, with what it printed */
async function startServer(
  program: string,
  args: string[],
  options: User & { cwd: string },
): Promise<ChildProcess> {
  const server = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  await ready(server);
  return server;
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill(signal);
  await exit;
}

async function ready(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  const reader = createInterface({ input: server.stderr! });
  await new Promise<void>((resolve, reject) => {
    reader.on('line', (line) => {
      lines.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    // By then all that it printed has been read.
    server.once('close', () => reject(new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)));
  });
  reader.removeAllListeners('line');
  reader.on('line', () => undefined); // keeps the pipe empty
}
