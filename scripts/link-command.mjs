// @ts-check
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * Makes `node_modules/.bin/tapbench` of a clone, as npm makes the commands of dependencies: a link, or on Windows the
 * three files that npm's own `cmd-shim` writes.
 * @param {string} root the project, with dist/ built
 * @param {{ platform: string, npm: string | undefined }} made `process.platform`, and npm_execpath of the environment
 * @returns {Promise<boolean>} false on Windows when it is not npm that runs the build
 */
export async function linkCommand(root, { platform, npm }) {
  const command = join(root, 'dist/cli/main.js');
  const link = join(root, 'node_modules/.bin/tapbench');
  mkdirSync(dirname(link), { recursive: true });
  if (platform === 'win32') {
    const shim = npm === undefined ? undefined : shimOf(npm);
    await shim?.(command, link);
    return shim !== undefined;
  }
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), command), link);
  return true;
}

/**
 * npm carries `cmd-shim` along.
 * @param {string} npm path of npm-cli.js
 * @returns {((from: string, to: string) => Promise<unknown>) | undefined}
 */
function shimOf(npm) {
  try {
    return createRequire(npm)('cmd-shim');
  } catch {
    return undefined; // Another package manager.
  }
}
