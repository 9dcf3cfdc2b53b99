#!/usr/bin/env node
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCompileCache } from './process/compile-cache.ts';
import { requireSupportedNode } from './process/supported-node.mjs';

/** By then a server is ready and idle, and its functions that ran at the start are still compiled. */
const SAVE_AFTER_MS = 5_000;

requireSupportedNode();
const { env } = process;
const program = fileURLToPath(new URL('process-main.cjs', import.meta.url));
const showsSources = ['debug', 'trace'].includes(env['LOG_LEVEL'] ?? '');
// Only then do stack traces name the sources: reading the source maps takes long.
if (showsSources) process.setSourceMapsEnabled(true);

// Node 22.8 and later keep compiled code for the next start.
const { enableCompileCache } = module as { enableCompileCache?: () => void };
enableCompileCache?.();
const nodeLoads =
  enableCompileCache !== undefined ||
  showsSources ||
  [env['NODE_DISABLE_COMPILE_CACHE'], env['NODE_V8_COVERAGE'], env['WATCH_REPORT_DEPENDENCIES']].some(
    Boolean,
  );
let loaded: unknown;
if (nodeLoads) loaded = module.createRequire(import.meta.url)(program);
else {
  const folder = join(dirname(program), '.compile-cache', `${process.version}-${process.arch}`);
  const cache = createCompileCache(folder);
  loaded = cache.require(program);
  process.once('exit', cache.save);
  setTimeout(cache.save, SAVE_AFTER_MS).unref();
}
(loaded as typeof import('./process-main.ts')).runProcess((specifier) => import(specifier));
