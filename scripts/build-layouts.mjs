// @ts-check
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../dist/server/dashboard/layouts.json', import.meta.url));

/**
 * Lays out the machines that come with Tapbench, with the bundle in dist/: a server then shows their charts without
 * the graph library. Without the file a server lays them out itself.
 */
export async function buildLayouts() {
  removeLayouts();
  // A variable, since the compiler does not find what is built.
  const built = '../dist/world/lay-out-machines.js';
  const { layOutMachines } = await import(built);
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify(await layOutMachines()));
}

export function removeLayouts() {
  rmSync(FILE, { force: true });
}
