import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const PLATFORM = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** What the Dockerfile needs of its bases, as Debian's packages. */
const PACKAGES = ['base-files', 'libc6', 'libstdc++6', 'dash', 'coreutils'];

/** The settings of a built image, by the names of Docker's format. */
interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Volumes: Record<string, object>;
  ExposedPorts: Record<string, object>;
  Healthcheck: { Test: string[] };
}

export interface ContainerImage {
  config: ImageConfig;
  /** Folder with its files. */
  rootfs: string;
  /** Folder with the files that it adds to its base. */
  added: string;
  /** Bytes of its compressed layers without those of the base. */
  addedBytes: number;
  remove(): void;
}

/**
 * Builds the image of deploy/Dockerfile with buildah, which needs no daemon. No registry is asked for its bases: Debian's
 * packages with the Node of an npm package stand for both.
 * @throws with what the program printed when a step fails
 */
export async function buildContainerImage(): Promise<ContainerImage> {
  const place = mkdtempSync(join(tmpdir(), 'tapbench-image-'));
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    return { ...(await build(place)), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function build(place: string): Promise<Omit<ContainerImage, 'remove'>> {
  const storage = ['--root', join(place, 'storage'), '--runroot', join(place, 'run')];
  // In a mount namespace of its own: what it mounts ends with it.
  const buildah = (...args: string[]) => run('unshare', ['--mount', 'buildah', ...storage, ...args]);
  const buildFrom = (folder: string, ...options: string[]) =>
    buildah('build', '--format=docker', '--pull-never', `--platform=${PLATFORM}`, ...options, folder);

  const base = join(place, 'base');
  await makeBase(base);
  await buildFrom(base, '--tag=localhost/base');
  await buildFrom(
    ROOT,
    `--file=${join(ROOT, 'deploy/Dockerfile')}`,
    `--ignorefile=${join(ROOT, 'deploy/Dockerfile.dockerignore')}`,
    '--build-arg=NODE=localhost/base',
    '--build-arg=BASE=localhost/base',
    // What npm has fetched for this checkout.
    `--volume=${(await run('npm', ['config', 'get', 'cache'])).trim()}:/npm`,
    '--volume=/etc/ssl/certs:/etc/ssl/certs:ro',
    '--tag=localhost/tapbench',
  );
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/tapbench')) as {
    Docker: { config: ImageConfig };
  };
  const layout = join(place, 'oci');
  await buildah('push', '--quiet', '--format', 'oci', 'localhost/tapbench', `oci:${layout}:latest`);
  return { config: Docker.config, ...(await unpack(layout, place)) };
}

/** Writes a Dockerfile of an image with Node and npm, and what it copies. */
async function makeBase(folder: string): Promise<void> {
  mkdirSync(folder);
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))![1]!;
  const include = `--include=${PACKAGES.join(',')}`;
  await run('mmdebstrap', ['--quiet', '--variant=extract', include, release, join(folder, 'root.tar')]);
  const node = `node-linux-${process.arch}`;
  await run('npm', ['install', '--silent', '--no-save', '--prefix', folder, `${node}@24`]);
  const npm = dirname(dirname(realpathSync((await run('sh', ['-c', 'command -v npm'])).trim())));
  cpSync(npm, join(folder, 'npm'), { recursive: true });
  const settings = 'npm_config_cache=/npm NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt';
  const command = `#!/bin/sh\n${settings} exec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n`;
  writeFileSync(join(folder, 'npm-command'), command);
  writeFileSync(
    join(folder, 'Dockerfile'),
    `FROM scratch
ADD root.tar /
COPY node_modules/${node}/bin/node /usr/local/bin/node
COPY npm /usr/local/lib/npm
COPY --chmod=0755 npm-command /usr/local/bin/npm
`,
  );
}

/** Unpacks the layers of an OCI image: all of them, and all but that of the base. */
async function unpack(layout: string, place: string) {
  const blob = (digest: string) => join(layout, 'blobs', digest.replace(':', '/'));
  const [{ digest }] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests;
  const { layers } = JSON.parse(readFileSync(blob(digest), 'utf8')) as {
    layers: { digest: string; size: number }[];
  };
  const rootfs = join(place, 'rootfs');
  const added = join(place, 'added');
  const extract = async (folder: string, files: { digest: string }[]) => {
    mkdirSync(folder);
    for (const layer of files) await run('tar', ['-xzf', blob(layer.digest), '-C', folder]);
  };
  await extract(rootfs, layers);
  await extract(added, layers.slice(1));
  return { rootfs, added, addedBytes: layers.slice(1).reduce((sum, { size }) => sum + size, 0) };
}

/** Runs a program to its end, and returns what it printed. Builds use no namespaces of their own. */
async function run(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  const { stdout } = await execute(program, args, { env, maxBuffer: 100_000_000 });
  return stdout;
}
