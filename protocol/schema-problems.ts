import type { TLocalizedValidationError } from 'typebox/error';
import { expectedBy } from './text-formats.ts';

/** A validation error: dotted path (empty for the value itself) and message. */
export interface Problem {
  path: string;
  message: string;
}

type SchemaError = TLocalizedValidationError;

/**
 * Returns the problems that a validator's errors describe, each with a message that follows the path in a sentence:
 * `must be an integer`. A union has the problems of the branch that the value was meant for.
 */
export function problemsOf(errors: readonly SchemaError[]): Problem[] {
  const unions = outermost(errors.filter(({ keyword }) => keyword === 'anyOf'));
  const described = new Set<SchemaError>();
  return errors.flatMap((error) => {
    const union = unions.find((candidate) => isWithin(error, candidate));
    if (!union) return describe(error);
    if (described.has(union)) return [];
    described.add(union);
    return problemsOfUnion(union, errors);
  });
}

function outermost(unions: SchemaError[]): SchemaError[] {
  return unions.filter((union) => !unions.some((other) => other !== union && isWithin(union, other)));
}

/** Whether an error is of a union or one of its branches, for the same value. */
function isWithin(error: SchemaError, union: SchemaError): boolean {
  return (
    (error.schemaPath === union.schemaPath || error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`)) &&
    (error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`))
  );
}

const BRANCH = /^(?:\/anyOf\/\d+)+/;

function problemsOfUnion(union: SchemaError, errors: readonly SchemaError[]): Problem[] {
  const branches = new Map<string, SchemaError[]>();
  for (const error of errors) {
    if (error.schemaPath === union.schemaPath || !isWithin(error, union)) continue;
    // `/anyOf/0/anyOf/1` for a branch of a union that is itself a branch.
    const branch = BRANCH.exec(error.schemaPath.slice(union.schemaPath.length))![0];
    if (error.keyword === 'anyOf' && error.schemaPath === `${union.schemaPath}${branch}`) continue;
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  // A branch with another constant, such as `act` of a simulation's act, or of another type is not the one.
  const meant = [...branches.values()].find(
    (branch) =>
      !branch.some(
        ({ keyword, instancePath }) => keyword === 'const' || isType(keyword, instancePath, union),
      ),
  );
  if (meant) return problemsOf(meant);
  const all = [...branches.values()].flat();
  const constants = all.filter(({ keyword }) => keyword === 'const');
  if (constants.length > 0) return [oneOf(constants)];
  const types = all.flatMap((error) =>
    isType(error.keyword, error.instancePath, union) && error.keyword === 'type' ? error.params.type : [],
  );
  return [{ path: pathOf(union), message: `must be ${listed(types.map(withArticle), 'or')}` }];
}

function isType(keyword: string, instancePath: string, union: SchemaError): boolean {
  return keyword === 'type' && instancePath === union.instancePath;
}

function oneOf(constants: SchemaError[]): Problem {
  const values = constants.flatMap((error) => (error.keyword === 'const' ? [error.params.allowedValue] : []));
  return { path: pathOf(constants[0]!), message: `must be one of: [${[...new Set(values)].join(', ')}]` };
}

function describe(error: SchemaError): Problem[] {
  // Reported as if the value were wrong; the following error names the key.
  if (error.schemaPath.endsWith('/propertyNames')) return [];
  const path = pathOf(error);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        path: path === '' ? name : `${path}.${name}`,
        message: 'is required',
      }));
    case 'propertyNames':
      return error.params.propertyNames.map((name) => ({
        path,
        message: `has a key that is too short or too long: ${name.slice(0, 40)}`,
      }));
    case 'additionalProperties':
      // Each unknown property has an error of its own.
      return [];
    case 'const':
      return [oneOf([error])];
    default:
      return [{ path, message: messageOf(error) }];
  }
}

function messageOf(error: SchemaError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${listed([error.params.type].flat().map(withArticle), 'or')}`;
    case 'enum':
      return `must be one of: [${error.params.allowedValues.join(', ')}]`;
    case 'pattern': {
      const { pattern } = error.params;
      const text = pattern instanceof RegExp ? pattern.source : pattern;
      return `must be ${expectedBy(text) ?? `a string that matches ${text}`}`;
    }
    case 'format':
      return error.params.format === 'date'
        ? 'must be a date in the form yyyy-MM-dd'
        : `must be in the format ${error.params.format}`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${counted(error.params.limit, 'character')}`;
    case 'minItems':
      return `must have at least ${counted(error.params.limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(error.params.limit, 'item')}`;
    case 'maxProperties':
      return error.params.limit === 1
        ? 'must have at most 1 entry'
        : `must have at most ${error.params.limit} entries`;
    case 'uniqueItems':
      return 'must not repeat an item';
    case 'boolean': // the schema of members that the declaration does not know
      return 'is not a known field';
    default:
      return error.message;
  }
}

/** `/a/b` of a JSON pointer as `a.b`. */
function pathOf({ instancePath }: SchemaError): string {
  return instancePath.slice(1).replaceAll('/', '.');
}

function counted(count: number | bigint, noun: string): string {
  return `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** `a, b or c`, each once. */
function listed(words: string[], conjunction: string): string {
  const each = [...new Set(words)];
  return each.length < 2 ? each.join('') : `${each.slice(0, -1).join(', ')} ${conjunction} ${each.at(-1)}`;
}
