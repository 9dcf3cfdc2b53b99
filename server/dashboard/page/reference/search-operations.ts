/** A schema of the document, as far as the reference reads it. */
interface DocumentSchema {
  $ref?: string;
  description?: string;
  properties?: Record<string, DocumentSchema>;
  items?: DocumentSchema;
  anyOf?: DocumentSchema[];
  oneOf?: DocumentSchema[];
  additionalProperties?: DocumentSchema | boolean;
}

interface DocumentOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: DocumentBody;
  responses?: Record<string, DocumentBody & { description?: string }>;
}

interface DocumentBody {
  content?: Record<string, { schema?: DocumentSchema }>;
}

/** The OpenAPI document of the server, as far as the reference reads it. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, DocumentSchema> };
}

/**
 * Returns the texts that a search of the reference looks at, by the id of the operation: method, path, summary,
 * description, the tag, and the names and descriptions of its parameters and of the members of its body and reply;
 * and its refusals, but for those that most operations share.
 */
export function operationTexts(document: OpenApiDocument): Map<string, string> {
  const tags = new Map(document.tags.map(({ name, description }) => [name, description ?? '']));
  const common = commonReplyLines(document);
  const texts = new Map<string, string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId, summary, description = '', parameters = [] } = operation;
      const parts = [
        method,
        path,
        operationId,
        summary,
        description,
        ...operation.tags.flatMap((tag) => [tag, tags.get(tag) ?? '']),
        ...parameters.flatMap((parameter) => [parameter.name, parameter.description ?? '']),
        ...schemaTexts(schemasOf(operation), document),
        ...replyLines(operation).filter((line) => !common.has(line)),
      ];
      texts.set(operationId, parts.join('\n').toLowerCase());
    }
  }
  return texts;
}

/** Returns whether a text has every word of a phrase, in either case. */
export function hasEveryWord(text: string, phrase: string): boolean {
  return phrase
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns the descriptions of the replies, a line for each refusal. */
function replyLines({ responses = {} }: DocumentOperation): string[] {
  return Object.values(responses).flatMap(({ description = '' }) => description.split('\n'));
}

function commonReplyLines({ paths }: OpenApiDocument): Set<string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const counts = new Map<string, number>();
  for (const line of operations.flatMap(replyLines)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return new Set([...counts].flatMap(([line, count]) => (2 * count > operations.length ? line : [])));
}

function schemasOf({ requestBody, responses = {} }: DocumentOperation): DocumentSchema[] {
  const replies = Object.entries(responses).flatMap(([status, reply]) => (status < '300' ? reply : []));
  return [requestBody, ...replies].flatMap((body) =>
    Object.values(body?.content ?? {}).flatMap(({ schema }) => schema ?? []),
  );
}

/** Returns the names and descriptions of the members of schemas, each named schema once. */
function schemaTexts(schemas: readonly DocumentSchema[], document: OpenApiDocument): string[] {
  const seen = new Set<string>();

  function textsOf(schema: DocumentSchema): string[] {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) {
      if (seen.has(name)) return [];
      seen.add(name);
    }
    const referred = name === undefined ? undefined : document.components.schemas[name];
    const { additionalProperties } = schema;
    const inside = [
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.items ? [schema.items] : []),
      ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
      ...(referred ? [referred] : []),
    ];
    return [
      schema.description ?? '',
      ...Object.entries(schema.properties ?? {}).flatMap(([member, value]) => [member, ...textsOf(value)]),
      ...inside.flatMap(textsOf),
    ];
  }
  return schemas.flatMap(textsOf);
}
