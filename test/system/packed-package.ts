import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram, type Child } from './child-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A project that has installed the package as `npm pack` makes it. */
export interface Installed {
  folder: string;
  /** What npm printed about the installation. */
  said: string;
  /** Starts a program there. */
  start(name: string, args: string[], env?: Record<string, string>): Child;
  read(file: string): string;
}

/** A folder that looks like a clone after `npm pack`: with the package in it, and projects inside and beside it. */
export interface Packed {
  /** Copies a project of the repository to where it stands in a clone, and runs `npm` with these words there. */
  installIn(project: string, words: string[]): Promise<Installed>;
  /** Makes an empty project beside the clone, and runs `npm` with these words there. */
  installBeside(words: string[]): Promise<Installed>;
  remove(): void;
}

/** Packs what has been built. */
export async function packPackage(): Promise<Packed> {
  const place = mkdtempSync(join(tmpdir(), 'tapbench-packed-'));
  const clone = join(place, 'tapbench');
  mkdirSync(clone);
  // It has been built before the system tests.
  await npm(['pack', '--ignore-scripts', '--pack-destination', clone], ROOT);
  const install = async (folder: string, words: string[]): Promise<Installed> => ({
    folder,
    said: await npm([...words, '--no-audit', '--no-fund'], folder),
    start: (name, args, env = {}) =>
      startProgram(name, args, { cwd: folder, env: { NO_COLOR: '1', ...env } }),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
  });
  return {
    installIn(project, words) {
      cpSync(join(ROOT, project), join(clone, project), { recursive: true });
      return install(join(clone, project), words);
    },
    installBeside(words) {
      const folder = join(place, 'shop');
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
      return install(folder, words);
    },
    remove: () => rmSync(place, { recursive: true }),
  };
}

async function npm(args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await startProgram('npm', args, { cwd }).ended;
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
  return stdout + stderr;
}
