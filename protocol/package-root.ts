import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * Returns the folder of this package, which holds `package.json` and `dist/`: the checkout, or where npm installed it.
 * Modules find their files from here, since a bundle may hold them in any folder of `dist/`.
 */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/**
 * Returns the path of a file that the build writes to `dist/`, or undefined when there is none or the sources run, as in
 * tests: the file may have been built from other sources.
 */
export function builtFile(path: string): string | undefined {
  const root = packageRoot();
  const isBuilt = relative(root, import.meta.dirname).split(sep)[0] === 'dist';
  const file = join(root, 'dist', path);
  return isBuilt && existsSync(file) ? file : undefined;
}
