import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the folder of this package, which holds `package.json` and `dist/`: the checkout, or where npm installed it.
 * Modules find their files from here, since a bundle may hold them in any folder of `dist/`.
 */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
