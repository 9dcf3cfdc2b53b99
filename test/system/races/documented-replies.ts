import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Raced } from './race.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi.json');

interface Operation {
  responses: Record<string, { description: string }>;
}

const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/** The operations of the document, those with the fewest parameters first. */
const operations = Object.entries(paths)
  .map(([path, methods]) => ({ methods, pattern: patternOf(path), parameters: path.split('{').length }))
  .toSorted((one, other) => one.parameters - other.parameters);

/** Returns the replies that docs/openapi.json does not name for their operations: its statuses, and its refusals. */
export function undocumentedReplies(raced: readonly Raced[]): string[] {
  return raced
    .filter((each) => !isDocumented(each))
    .map(({ request: { method, path }, status, refusal }) => `${method} ${path}: ${refusal ?? status}`);
}

function isDocumented({ request: { method, path }, status, refusal }: Raced): boolean {
  const operation = operations.find(
    ({ pattern, methods }) => pattern.test(path) && method.toLowerCase() in methods,
  );
  const response = operation?.methods[method.toLowerCase()]!.responses[status];
  if (refusal === undefined || !response) return response !== undefined;
  return response.description
    .split('\n')
    .some((line) => !ANY_MESSAGE.test(line) && messageIn(line).test(refusal));
}

/** The refusal of a property that is not as its schema says; no race sends one. */
const ANY_MESSAGE = /: \{field\} \{problem\}/;

/** Returns what matches the refusal of a line such as `- \`conflict\`: serialNumber is already registered (Spec §4.12)`. */
function messageIn(line: string): RegExp {
  const [, message = ''] = /^- `\w+`: (.*?)(?: \([^()]*\))?$/.exec(line) ?? [];
  return new RegExp(`^\\d{3} ${withParameters(message, '.+')}$`);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${withParameters(path, '[^/]+')}$`);
}

/** Returns a pattern for a text whose parameters are in braces. */
function withParameters(text: string, parameter: string): string {
  return text
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(parameter);
}
