import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXTENSION_MARK, EXTENSIONS, extensionOfRefusal } from '../../server/platform/http/extensions.ts';
import { openApiDocument } from '../../server/platform/http/openapi/openapi.ts';
import { REFUSALS, type RefusalName } from '../../server/platform/http/refusals.ts';
import { ROUTES } from '../../server/routes.ts';
import { REPLY_HEADERS, REQUEST_HEADERS } from './specification/headers.ts';
import { CHOSEN_MEMBERS, MEMBERS } from './specification/members.ts';
import { ALIASES, OPERATIONS, OWN_OPERATIONS } from './specification/operations.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const CHOICES = readdirSync(join(DOCS, 'choices')).flatMap((name) =>
  [...readFileSync(join(DOCS, 'choices', name), 'utf8').matchAll(/^## (.+)$/gm)].map(([, choice]) => choice!),
);
const SECTION = /^Spec §\d+(\.\d+)*(, (Spec )?§\d+(\.\d+)*)*$/;

/** Whether a text names a section of the specification or a choice. */
const isSource = (text: string) => SECTION.test(text) || CHOICES.includes(text);

// oxlint-disable-next-line no-explicit-any -- a document of any shape
type Json = any;

const document: Json = openApiDocument(ROUTES.filter(({ surface }) => surface === 'v1'));
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, declared]) => ({
    name: `${method.toUpperCase()} ${path.replace('/v1', '')}`,
    declared,
  })),
);

/** Members of schemas: `place member`, with the extension that it is marked as. */
const members = new Map<string, string | undefined>();

/** Collects the members of a schema; those of a component once, by its name. */
function collect(schema: Json, place: string): void {
  const component = schema.$ref?.split('/').at(-1);
  if (component !== undefined) {
    if (collected.has(component)) return;
    collected.add(component);
    return collect(document.components.schemas[component], component);
  }
  for (const [name, member] of Object.entries<Json>(schema.properties ?? {})) {
    members.set(`${place} ${name}`, member[EXTENSION_MARK]);
    if (member[EXTENSION_MARK] === undefined) collect(member, `${place}.${name}`);
  }
  if (schema.items) collect(schema.items, place);
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    collect(each, place);
}
const collected = new Set<string>();

for (const { name, declared } of operations) {
  const { parameters = [], requestBody, responses } = declared;
  for (const parameter of parameters)
    if (parameter.in === 'query') members.set(`${name} query ${parameter.name}`, parameter[EXTENSION_MARK]);
  for (const { schema } of Object.values<Json>(requestBody?.content ?? {})) collect(schema, name);
  for (const { content } of Object.values<Json>(responses))
    for (const { schema } of Object.values<Json>(content)) collect(schema, `${name} reply`);
}

const listed = (table: typeof MEMBERS) =>
  Object.entries(table).flatMap(([place, [, names]]) => names.split(' ').map((name) => `${place} ${name}`));

describe('what /v1 has', () => {
  test('members: each has a section of the specification, a choice, or the mark of an extension, and one of them', () => {
    const known = [...listed(MEMBERS), ...listed(CHOSEN_MEMBERS)];
    const plain = [...members].filter(([, extension]) => extension === undefined).map(([member]) => member);
    const unsourced = plain
      .filter((member) => !known.includes(member))
      .map(
        (member) =>
          `${member}: nothing says where it comes from. Name it in test/architecture/specification/members.ts: in MEMBERS with its section, or in CHOSEN_MEMBERS with a choice of docs/choices where the specification leaves a gap. One that goes beyond the specification is marked with asExtension (server/platform/http/extensions.ts) instead.`,
      );
    const gone = known
      .filter((member) => !plain.includes(member))
      .map(
        (member) =>
          `${member}: /v1 no longer has it. Remove it from test/architecture/specification/members.ts.`,
      );
    expect([...unsourced, ...gone]).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
    const sources = [...Object.values(MEMBERS), ...Object.values(CHOSEN_MEMBERS)].map(([source]) => source);
    expect(sources.filter((source) => !isSource(source))).toEqual([]);
    const marks = [...members.values()].filter((mark) => mark !== undefined);
    expect(marks.filter((mark) => !Object.hasOwn(EXTENSIONS, mark))).toEqual([]);
  });

  test('operations: each is one of the specification, one of our own, or another spelling that a client library has', () => {
    const known = [...Object.values(OPERATIONS).flat(), ...Object.keys(ALIASES), ...OWN_OPERATIONS];
    expect(operations.map(({ name }) => name).filter((name) => !known.includes(name as never))).toEqual([]);
  });

  test('statuses: each has a refusal with a section or a choice, or the mark of an extension', () => {
    const unsourced = operations.flatMap(({ name, declared }) =>
      Object.entries<Json>(declared.responses).flatMap(([status, response]) => {
        if (Number(status) < 400) return ['200', '202'].includes(status) ? [] : [`${name} ${status}`];
        const refusals = Object.keys(response.content['application/json'].examples) as RefusalName[];
        const extensions = refusals.map(extensionOfRefusal);
        const isMarked = response[EXTENSION_MARK] !== undefined;
        if (isMarked !== extensions.every(Boolean)) return [`${name} ${status}: its mark`];
        return refusals
          .filter((refusal, at) => !extensions[at] && !isSource(REFUSALS[refusal].section))
          .map((refusal) => `${status} ${refusal}: ${REFUSALS[refusal].section}`);
      }),
    );
    expect([...new Set(unsourced)]).toEqual([]);
  });

  test('headers: each has a section or a choice, or the mark of an extension', () => {
    const declared = operations.flatMap(({ declared: { parameters = [], responses } }) => [
      ...parameters.filter((parameter: Json) => parameter.in === 'header'),
      ...Object.values<Json>(responses).flatMap(({ headers = {} }) =>
        Object.entries<Json>(headers).map(([name, header]) => ({ name, ...header })),
      ),
    ]);
    const names = [...Object.keys(REQUEST_HEADERS), ...Object.keys(REPLY_HEADERS)];
    const unsourced = declared.filter(
      ({ name, [EXTENSION_MARK]: mark }) => mark === undefined && !names.includes(name.toLowerCase()),
    );
    expect(unsourced).toEqual([]);
    const marked = declared.filter(({ [EXTENSION_MARK]: mark }) => mark !== undefined);
    expect([...new Set(marked.map(({ name }) => name))].sort()).toEqual(
      [...EXTENSIONS['idempotency-keys'].headers].sort(),
    );
    expect(
      Object.values({ ...REQUEST_HEADERS, ...REPLY_HEADERS }).filter((source) => !isSource(source)),
    ).toEqual([]);
  });

  test('extensions: docs/sdks.md lists each of the table, and no other', () => {
    const page = readFileSync(join(DOCS, 'sdks.md'), 'utf8');
    const rows = page
      .slice(page.indexOf('### Extensions'), page.indexOf('## What libraries send'))
      .split('\n')
      .filter((line) => /^\| `[a-z-]+`/.test(line))
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(rows).toEqual(
      Object.entries(EXTENSIONS).map(([name, { what, strict }]) => [`\`${name}\``, what, strict]),
    );
  });
});
