import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../kit/free-port.ts';
import { createVolume, runContainer, type Container, type RunOptions } from './container.ts';
import { buildContainerImage, type ContainerImage } from './container-image.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { callerOf, readStartupOutput } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LIMIT_BYTES = 90_000_000;

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

let image: ContainerImage;
beforeAll(async () => {
  image = await buildContainerImage();
}, 600_000);
afterAll(() => image?.remove());

/** Starts the image on a volume, with its own command unless another is given. */
async function startOn(volume: string, { args = image.config.Cmd, env = {} }: Partial<RunOptions> = {}) {
  const ports = { PORT: String(await freePort()), MQTT_PORT: String(await freePort()) };
  const container = runContainer(fixture, image, {
    volume,
    args: [...args, '--json'],
    env: { ...ports, RATE_LIMIT: 'off', ...env },
  });
  const startup = await readStartupOutput(container.child);
  return { container, ...startup, api: callerOf(startup) };
}

/** Machines of ELF (`e_machine`), by Node's names of processors. */
const PROCESSORS: Record<number, string> = { 0x3e: 'x64', 0xb7: 'arm64' };

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

/** Returns the processors that the native modules in a folder are for, or `other system` for one not in ELF. */
function processorsOf(folder: string): Set<string | undefined> {
  const binaries = filesOf(folder).filter((file) => file.endsWith('.node'));
  return new Set(
    binaries.map((file) => {
      const bytes = readFileSync(join(folder, file));
      return bytes.toString('latin1', 0, 4) === '\x7fELF'
        ? PROCESSORS[bytes.readUInt16LE(18)]
        : 'other system';
    }),
  );
}

/** Runs the health check of the image, and returns its exit code. */
async function healthOf(container: Container): Promise<number | null> {
  const [kind, ...args] = image.config.Healthcheck.Test;
  expect(kind).toBe('CMD');
  return (await container.exec(args)).code;
}

test('image: its settings', () => {
  expect(image.config).toMatchObject({
    User: '1000:1000',
    Cmd: ['up'],
    WorkingDir: '/data',
    Volumes: { '/data': {} },
    ExposedPorts: { '8080/tcp': {}, '1883/tcp': {} },
  });
});

test('image: is small, and adds neither tools nor binaries of other systems to its base', () => {
  expect(image.addedBytes).toBeLessThan(LIMIT_BYTES);
  const { added } = image;
  expect(readdirSync(added).toSorted()).toEqual(['app', 'data', 'usr']);
  expect(filesOf(join(added, 'usr'))).toEqual(['local', 'local/bin', 'local/bin/node']);
  const ofPackage = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'compare',
    'dist',
    'node_modules',
    'package.json',
  ];
  expect(readdirSync(join(added, 'app')).toSorted()).toEqual(ofPackage);
  expect(existsSync(join(added, 'app/node_modules/typescript'))).toBe(false);
  expect(processorsOf(join(added, 'app'))).toEqual(new Set([process.arch]));
});

test('image: runs as another user than root, and writes to its volume alone', async () => {
  const { container } = await startOn(createVolume(fixture));
  const script = `
    const { writeFileSync } = require('node:fs');
    const write = (folder) => {
      try { writeFileSync(folder + '/written', ''); return 'written'; } catch ({ code }) { return code; }
    };
    console.log(JSON.stringify([process.getuid(), ...['/', '/app', '/tmp', '/data'].map(write)]));`;
  const { stdout } = await container.exec(['node', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([1000, 'EROFS', 'EROFS', 'EROFS', 'written']);
});

test('image: takes a payment, keeps it over a restart, and stops cleanly at SIGTERM', async () => {
  const volume = createVolume(fixture);
  const first = await startOn(volume);
  expect(await healthOf(first.container)).toBe(0);
  const terminal = `/v1/in-person/terminals/${first.terminals[0]!.id}`;
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  expect((await first.api('POST', `${terminal}/payment`, body)).status).toBe(200);
  const session = await waitFor('the payment to be captured', async () => {
    const { action } = (await first.api('GET', terminal)).body;
    return action.status === 'Succeeded' && action.transaction.paymentSessionId;
  });
  expect(await first.container.child.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });

  const second = await startOn(volume);
  expect(second).toMatchObject({ secretKey: first.secretKey, terminals: first.terminals });
  const kept = await second.api('GET', `/v1/payment-sessions/${session}`);
  expect(kept.body).toMatchObject({ status: 'Captured' });
});

test('image: its health check fails while the server is not ready', async () => {
  const mqtt = `mqtt://127.0.0.1:${await freePort()}`;
  const options = { args: ['server'], env: { MQTT_URL: mqtt } };
  const { container } = await startOn(createVolume(fixture), options);
  expect(await healthOf(container)).toBe(1);
});

test('image: for arm64 it has the same files, with the binaries of that processor', async () => {
  const folder = fixture.folder();
  const contents = join(ROOT, 'deploy/image-contents.mjs');
  const { code } = await fixture.program(process.execPath, [contents, 'arm64', folder]).ended;
  expect(code).toBe(0);
  const app = join(folder, 'app');
  expect(processorsOf(app)).toEqual(new Set(['arm64']));
  const withoutProcessor = (file: string) => file.replaceAll(/arm64|x64/g, '').replace('.armv8', '');
  const names = (path: string) => filesOf(path).map(withoutProcessor).toSorted();
  expect(names(app)).toEqual(names(join(image.added, 'app')));
}, 240_000);
