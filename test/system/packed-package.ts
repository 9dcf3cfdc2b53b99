import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram, type Child } from './child-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The package as `npm pack` makes it, installed into a copy of a project. */
export interface Installed {
  folder: string;
  /** What npm said of the installation. */
  said: string;
  /** Starts a program there. */
  start(name: string, args: string[], env?: Record<string, string>): Child;
  read(file: string): string;
}

/** Installs what has been built, and these packages of the registry beside it. @param project from the root */
export async function installPacked(project: string, beside: string[]): Promise<Installed> {
  const place = mkdtempSync(join(tmpdir(), 'tapbench-packed-'));
  const folder = join(place, 'project');
  cpSync(join(ROOT, project), folder, { recursive: true });
  // It has been built before the system tests.
  await npm(['pack', '--ignore-scripts', '--pack-destination', place], ROOT);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const words = ['install', '--no-audit', '--no-fund', `../tapbench-${version}.tgz`, ...beside];
  return {
    folder,
    said: await npm(words, folder),
    start: (name, args, env = {}) =>
      startProgram(name, args, { cwd: folder, env: { NO_COLOR: '1', ...env } }),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
  };
}

async function npm(args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await startProgram('npm', args, { cwd }).ended;
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
  return stdout + stderr;
}
