import { readFileSync } from 'node:fs';
import { builtFile } from '../../../protocol/package-root.ts';
import type { ChartLayout } from './chart.ts';

/** The file in `dist/` that `scripts/build-layouts.mjs` writes: layouts by shape as JSON. */
const FILE = 'server/dashboard/layouts.json';

let layouts: Map<string, ChartLayout> | undefined;

/**
 * Returns the layout of a machine that comes with Tapbench, which the build laid out: with a cold graph library that
 * takes seconds. Returns undefined for any other machine, and in tests, which run the sources.
 * @param key the machine's shape as JSON
 */
export function builtLayout(key: string): ChartLayout | undefined {
  layouts ??= readLayouts();
  return layouts.get(key);
}

function readLayouts(): Map<string, ChartLayout> {
  const file = builtFile(FILE);
  if (file === undefined) return new Map();
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, ChartLayout>));
}
