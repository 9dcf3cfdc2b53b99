import buffer from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';

type ModuleFunction = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

interface CompileCache {
  /** Loads a CommonJS module of the bundle, and with it those that it requires by a relative path. */
  require(path: string): unknown;
  /**
   * Writes the code of the modules that were not in the cache, with all functions that have run. Does nothing where
   * the folder cannot be written.
   */
  save(): void;
}

/**
 * Keeps compiled code from one start to the next, as `module.enableCompileCache` of Node 22.8 does. An entry is used
 * only for the very text that it was compiled from, and V8 rejects what another version of it has written.
 * @param folder of the entries; created when needed
 */
export function createCompileCache(folder: string): CompileCache {
  const modules = new Map<string, { exports: unknown }>();
  const missing: { entry: string; source: Buffer; script: Script }[] = [];

  function load(path: string): unknown {
    const known = modules.get(path);
    if (known) return known.exports;
    const loading = { exports: {} };
    modules.set(path, loading);
    const requirePackage = module.createRequire(path);
    const requireFrom = (id: string) =>
      id.startsWith('.') ? load(resolve(dirname(path), id)) : requirePackage(id);
    const run = compile(path).runInThisContext() as ModuleFunction;
    try {
      run(loading.exports, requireFrom, loading, path, dirname(path));
    } catch (error) {
      modules.delete(path);
      throw error;
    }
    return loading.exports;
  }

  function compile(path: string): Script {
    const source = readFileSync(path);
    const entry = join(folder, `${basename(path)}.cache`);
    const cachedData = readEntry(entry, source);
    const script = new Script(module.wrap(textOf(source)), {
      filename: path,
      ...(cachedData && { cachedData }),
    });
    if (!cachedData || script.cachedDataRejected) missing.push({ entry, source, script });
    return script;
  }

  return {
    require: load,
    save() {
      try {
        if (missing.length > 0) mkdirSync(folder, { recursive: true });
        for (const { entry, source, script } of missing.splice(0)) writeEntry(entry, source, script);
      } catch {
        // A package that belongs to another user starts without.
      }
    },
  };
}

/** An entry is a SHA-256 of the text and of what V8 has compiled from it, then the latter. V8 crashes on damaged code. */
const HASH_BYTES = 32;

function readEntry(entry: string, source: Buffer): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(entry);
  } catch {
    return undefined;
  }
  const code = bytes.subarray(HASH_BYTES);
  return hashOf(source, code).equals(bytes.subarray(0, HASH_BYTES)) ? code : undefined;
}

/** Replaces an entry at once: another process may be reading or writing it. */
function writeEntry(entry: string, source: Buffer, script: Script): void {
  const code = script.createCachedData();
  const unfinished = `${entry}.${process.pid}`;
  writeFileSync(unfinished, Buffer.concat([hashOf(source, code), code]));
  renameSync(unfinished, entry);
}

function hashOf(source: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(source).update(code).digest();
}

/** Decodes UTF-8. V8 reads ASCII text from one byte for each character, which takes a fifth of the time. */
function textOf(source: Buffer): string {
  return source.toString(buffer.isAscii(source) ? 'latin1' : 'utf8');
}
