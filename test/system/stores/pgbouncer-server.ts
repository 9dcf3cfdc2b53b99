import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../kit/free-port.ts';
import { unprivilegedUser } from './postgres-server.ts';

/** Off the PATH of users who are not root. */
const PROGRAM = '/usr/sbin/pgbouncer';

export interface PgBouncer {
  /** Returns the address of a database through it. */
  through(url: string): string;
  stop(): Promise<void>;
}

export interface PoolSettings {
  mode: 'transaction' | 'session';
  /** Connections to each database. */
  connections: number;
}

/** A PgBouncer before the databases of a server. */
export async function startPgBouncer(
  databaseUrl: string,
  { mode, connections }: PoolSettings,
): Promise<PgBouncer> {
  const user = await unprivilegedUser();
  const folder = await mkdtemp(join(tmpdir(), 'tapbench-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${new URL(databaseUrl).port} user=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      'max_client_conn = 200',
      `default_pool_size = ${connections}`,
      // Each test has a database of its own, and PostgreSQL a hundred connections for all.
      'server_idle_timeout = 1',
      '',
    ].join('\n'),
  );
  if (user.uid !== undefined) for (const path of [folder, file]) await chown(path, user.uid, user.gid!);
  const server = spawn(PROGRAM, [file], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  const reader = createInterface({ input: server.stderr });
  await new Promise<void>((resolve, reject) => {
    reader.on('line', (line) => {
      lines.push(line);
      if (line.includes('process up')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PgBouncer did not start:\n${lines.join('\n')}`)));
  });
  return {
    through(url) {
      const address = new URL(url);
      address.port = String(port);
      return address.href;
    },
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
