import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../kit/child-command.ts';
import type { ContainerImage } from './container-image.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';

/** A process of an image, in namespaces of its own but for the network. */
export interface Container {
  /** Its first process; a signal to it reaches the program. */
  child: Child;
  /** Runs a program beside it to its end, and returns its exit code and what it printed. */
  exec(args: string[]): Promise<{ code: number | null; stdout: string }>;
}

export interface RunOptions {
  /** Folder that is mounted at /data. */
  volume: string;
  /** Words after those of the image's entry point. */
  args: string[];
  /** Added to the image's environment. */
  env: Record<string, string>;
}

/** Creates the folder of a volume, which belongs to the user of the image. */
export function createVolume(fixture: SystemFixture): string {
  const folder = fixture.folder();
  chownSync(folder, 1000, 1000);
  return folder;
}

let count = 0;

/** Runs the image with a read-only root, no capabilities, and the volume at /data as all that it may write to. */
export function runContainer(fixture: SystemFixture, image: ContainerImage, options: RunOptions): Container {
  const id = `tapbench-${process.pid}-${++count}`;
  const bundle = fixture.folder();
  const state = join(bundle, 'state');
  mkdirSync(state);
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(runtimeSettings(image, options)));
  const crun = (...args: string[]) =>
    fixture.program('unshare', [...ONE_CGROUP, '--root', state, '--cgroup-manager=disabled', ...args]);
  const child = crun('run', '--bundle', bundle, id);
  // The program does not end with a crun that is killed.
  fixture.onCleanUp(async () => void (await crun('delete', '--force', id).ended));
  return { child, exec: (args) => crun('exec', '--user', image.config.User, id, ...args).ended };
}

/** Words before those of crun, which starts nothing where both versions of control groups are mounted, even to use neither. */
const ONE_CGROUP = [
  '--mount',
  'sh',
  '-c',
  'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && exec crun "$0" "$@"',
];

/** Returns the `config.json` of the OCI runtime specification. */
function runtimeSettings({ config, rootfs }: ContainerImage, { volume, args, env }: RunOptions): unknown {
  const [uid, gid] = config.User.split(':').map(Number);
  const own = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return {
    ociVersion: '1.0.0',
    root: { path: rootfs, readonly: true },
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...args],
      env: [...config.Env, ...own],
      cwd: config.WorkingDir,
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      { destination: '/data', type: 'bind', source: volume, options: ['bind', 'rw'] },
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
}
