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
  /** The names that it exports; `default` for the default export. */
  exports: string[];
  /** The names that it imports from files of the project; `*` for all of a file. */
  uses: { path: string; name: string }[];
}

// Several test files read the same folders in one process, and parsing is most of what it takes.
const read = new Map<string, SourceFile>();

/** Every TypeScript file of the given folders, with what it imports. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
      .map((entry) => sourceAt(relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))),
  );
}

function sourceAt(path: string): SourceFile {
  const source = read.get(path) ?? readSource(path);
  read.set(path, source);
  return source;
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const { module } = parseSync(path, text);
  // A dynamic import's request is a piece of source text, quotes included.
  const dynamic = module.dynamicImports.map(({ moduleRequest }) =>
    text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
  );
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  const passedOn = entries.flatMap(({ moduleRequest, importName }) =>
    moduleRequest ? { path: resolve(path, moduleRequest.value), name: nameOf(importName) } : [],
  );
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ...dynamic,
  ];
  return {
    path,
    text,
    imports: named.map((request) => resolve(path, request)),
    exports: entries.map(({ exportName }) => nameOf(exportName)),
    uses: [
      ...module.staticImports.flatMap(({ moduleRequest, entries: names }) =>
        names.map(({ importName }) => ({
          path: resolve(path, moduleRequest.value),
          name: nameOf(importName),
        })),
      ),
      ...passedOn,
      ...dynamic.map((request) => ({ path: resolve(path, request), name: '*' })),
    ],
  };
}

function nameOf({ kind, name }: { kind: string; name?: string | null }): string {
  if (kind === 'Default') return 'default';
  return kind === 'Name' && name ? name : '*';
}

function resolve(from: string, request: string): string {
  if (request.startsWith('.')) return posix.join(posix.dirname(from), request);
  if (request.startsWith('node:')) return request;
  const [scope, name] = request.split('/');
  return scope!.startsWith('@') ? `${scope}/${name}` : scope!;
}
