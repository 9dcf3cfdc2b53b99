import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** Path from the root of the project, with forward slashes. */
  path: string;
  text: string;
  /** What it imports: a path of the project for its own files, else the package. */
  imports: string[];
}

/** Every TypeScript file of the given folders, with what it imports. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
      .map((entry) => readSource(relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))),
  );
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const { module } = parseSync(path, text);
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    // A dynamic import's request is a piece of source text, quotes included.
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
    ),
  ];
  return { path, text, imports: named.map((request) => resolve(path, request)) };
}

function resolve(from: string, request: string): string {
  if (request.startsWith('.')) return posix.join(posix.dirname(from), request);
  if (request.startsWith('node:')) return request;
  const [scope, name] = request.split('/');
  return scope!.startsWith('@') ? `${scope}/${name}` : scope!;
}
