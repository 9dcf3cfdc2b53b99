import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:net';
import { makeCertificate } from '../kit/certificate.ts';
import { freePort } from '../../kit/free-port.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

export interface Proxy {
  url: string;
  /** What it logged of its requests. */
  log(): string;
}

const DOCUMENT = join(import.meta.dirname, '../../../docs/deploying.md');

/** The configuration that docs/deploying.md shows in a block of this kind. */
function documented(kind: 'nginx' | 'haproxy'): string {
  const found = new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(readFileSync(DOCUMENT, 'utf8'));
  if (!found) throw new Error(`docs/deploying.md shows no ${kind} configuration`);
  return found[1]!;
}

/** @throws when a text that is to be replaced is not there */
export function replaced(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`nothing to replace: ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

export function listening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.unref();
    socket.once('connect', () => socket.end());
  });
}

interface Ports {
  port: number;
  serverPort: string;
}

/** nginx with these server blocks, in one process. */
async function startNginx(
  fixture: SystemFixture,
  folder: string,
  port: number,
  servers: string,
): Promise<Proxy> {
  const log = join(folder, 'access.log');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${folder}/${name};\n`)
    .join('');
  // The referrer and the whole address are what a log could give away.
  const settings = `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  log_format whole '$request "$http_referer"';
  access_log ${log} whole;
${temporary}${servers}}
`;
  writeFileSync(join(folder, 'nginx.conf'), settings);
  const child = fixture.program('/usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  await waitFor('nginx to listen', () => started(child, port));
  return { url: `http://127.0.0.1:${port}`, log: () => readFileSync(log, 'utf8') };
}

async function startHaproxy(
  fixture: SystemFixture,
  folder: string,
  port: number,
  text: string,
): Promise<Proxy> {
  const path = join(folder, 'haproxy.cfg');
  const settings = `global\n  log stdout format raw local0\n${text.replace('mode http\n', 'mode http\n  log global\n  option httplog\n')}`;
  writeFileSync(path, settings);
  const child = fixture.program('/usr/sbin/haproxy', ['-db', '-f', path]);
  await waitFor('HAProxy to listen', () => started(child, port));
  return { url: `http://127.0.0.1:${port}`, log: () => child.stdout };
}

function started(child: { running: boolean; stderr: string }, port: number): Promise<boolean> {
  if (!child.running) throw new Error(`the proxy ended: ${child.stderr}`);
  return listening(port);
}

/** A proxy that somebody sets up with as few lines as it takes; `host` is the Host that it sends. */
export const SIMPLE = {
  async nginx(fixture: SystemFixture, serverPort: string): Promise<Proxy> {
    const port = await freePort();
    const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${serverPort}; } }\n`;
    return startNginx(fixture, fixture.folder(), port, server);
  },
  async haproxy(fixture: SystemFixture, serverPort: string): Promise<Proxy> {
    const port = await freePort();
    const text = `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend tapbench
  bind 127.0.0.1:${port}
  http-request set-header Host 127.0.0.1
  default_backend tapbench
backend tapbench
  server one 127.0.0.1:${serverPort}
`;
    return startHaproxy(fixture, fixture.folder(), port, text);
  },
};

/** A proxy with TLS as docs/deploying.md shows it. */
export const DOCUMENTED = {
  async nginx(fixture: SystemFixture, { port, serverPort }: Ports): Promise<Proxy> {
    const folder = fixture.folder();
    const changes = {
      'listen 443': `listen 127.0.0.1:${port}`,
      '127.0.0.1:8080': `127.0.0.1:${serverPort}`,
      '/etc/ssl/tapbench': folder,
    };
    const { cert, key } = makeCertificate();
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
    const proxy = await startNginx(fixture, folder, port, replaced(documented('nginx'), changes));
    return { ...proxy, url: `https://127.0.0.1:${port}` };
  },
  async haproxy(fixture: SystemFixture, { port, serverPort }: Ports): Promise<Proxy> {
    const folder = fixture.folder();
    const changes = {
      'bind :443': `bind 127.0.0.1:${port}`,
      '127.0.0.1:8080': `127.0.0.1:${serverPort}`,
      '/etc/ssl/tapbench': folder,
    };
    const { cert, key } = makeCertificate();
    writeFileSync(join(folder, 'both.pem'), cert + key);
    const proxy = await startHaproxy(fixture, folder, port, replaced(documented('haproxy'), changes));
    return { ...proxy, url: `https://127.0.0.1:${port}` };
  },
};
