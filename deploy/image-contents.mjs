// @ts-check
// Collects what the image of a server holds, for the Dockerfile: node deploy/image-contents.mjs ARCHITECTURE FOLDER
// FOLDER/app is the package with its dependencies for that processor, FOLDER/data the empty folder of the volume.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Node's names of the processors that an image is built for, by Docker's. */
const PROCESSORS = { amd64: 'x64', arm64: 'arm64' };

const [architecture = '', folder = ''] = process.argv.slice(2);
const processor = architecture === '' ? process.arch : PROCESSORS[architecture];
if (processor === undefined || folder === '') {
  console.error(`usage: image-contents.mjs ${Object.keys(PROCESSORS).join('|')} FOLDER`);
  process.exit(1);
}

const app = join(folder, 'app');
mkdirSync(app, { recursive: true });
mkdirSync(join(folder, 'data'));
for (const file of packagedFiles()) cpSync(join(ROOT, file), join(app, file));
cpSync(join(ROOT, 'package-lock.json'), join(app, 'package-lock.json'));
const target = ['--os=linux', `--cpu=${processor}`, '--libc=glibc'];
npm(['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...target], app);
rmSync(join(app, 'package-lock.json'));
const modules = join(app, 'node_modules');
for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' }))
  if (!isNeeded(path)) rmSync(join(modules, path), { recursive: true, force: true });

/** Returns the files of the published package, without the documents. */
function packagedFiles() {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], ROOT));
  return files.map(({ path }) => path).filter((path) => !path.startsWith('docs/'));
}

/**
 * Returns whether the server may load a file or folder of node_modules: no binary for another system, and nothing that
 * only compilers and debuggers read.
 * @param {string} path
 */
function isNeeded(path) {
  if (basename(dirname(path)) === 'prebuilds') return basename(path) === `linux-${processor}`;
  if (/^musl_|\.musl\./.test(basename(path))) return false;
  return !['.c', '.cc', '.cpp', '.h', '.hh', '.map', '.ts', '.mts', '.cts'].includes(extname(path));
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
