import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram, type Child } from '../kit/child-command.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A project that has installed the package as `npm pack` makes it. */
export interface Installed {
  folder: string;
  /** Starts a program there. */
  start(name: string, args: string[], env?: Record<string, string>): Child;
  read(file: string): string;
}

/** A folder that looks like a clone after `npm pack`: with the package in it, and projects inside it. */
export interface Packed {
  /** Copies a project of the repository to where it stands in a clone, and runs `npm` with these words there. */
  installIn(project: string, words: string[]): Promise<Installed>;
  remove(): void;
}

/** Packs what has been built. */
export async function packPackage(): Promise<Packed> {
  const place = mkdtempSync(join(tmpdir(), 'tapbench-packed-'));
  const clone = join(place, 'tapbench');
  mkdirSync(clone);
  // It has been built before the system tests.
  await npm(['pack', '--ignore-scripts', '--pack-destination', clone], ROOT);
  return {
    async installIn(project, words) {
      const folder = join(clone, project);
      cpSync(join(ROOT, project), folder, { recursive: true });
      await npm([...words, '--no-audit', '--no-fund'], folder);
      return {
        folder,
        start: (name, args, env = {}) =>
          startProgram(name, args, { cwd: folder, env: { NO_COLOR: '1', ...env } }),
        read: (file) => readFileSync(join(folder, file), 'utf8'),
      };
    },
    remove: () => rmSync(place, { recursive: true }),
  };
}

async function npm(args: string[], cwd: string): Promise<void> {
  const { code, stderr } = await startProgram('npm', args, { cwd }).ended;
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
}
