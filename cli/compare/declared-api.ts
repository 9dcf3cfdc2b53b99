import { isObject } from '../../protocol/outside-json.ts';

/** A schema of the OpenAPI document, with its references followed. */
export type DeclaredSchema = Readonly<Record<string, unknown>>;

/** What the OpenAPI document says of the operations under `/v1`. */
export interface DeclaredApi {
  /** Whether the request has `metadata`. @param operation such as `POST /customers` */
  takesMetadata(operation: string): boolean;
  /** Returns the schemas of a reply, one for each that it may have; none for what is not declared. */
  reply(operation: string, status: number): DeclaredSchema[];
  /** Returns the schemas of what is at a path in values of these: a name for a member, `*` for each item of a list. */
  at(schemas: readonly DeclaredSchema[], path: readonly string[]): DeclaredSchema[];
}

/** Any item of a list, in a path. */
export const EACH_ITEM = '*';
const EVENT = 'Event';

/** Reads the OpenAPI document of the routes. @param document as `openApiDocument` returns it */
export function declaredApi(document: object): DeclaredApi {
  const root: unknown = document;
  const contentOf = (value: unknown) => memberOf(value, ['content', 'application/json', 'schema']);
  const operationOf = (operation: string) => {
    const [method = '', path = ''] = operation.split(' ');
    return memberOf(root, ['paths', `/v1${path}`, method.toLowerCase()]);
  };

  /** Follows references and opens unions, so that each schema is of one kind of value. */
  function opened(schema: unknown): DeclaredSchema[] {
    if (!isObject(schema)) return [];
    const reference = schema['$ref'];
    if (typeof reference === 'string') return opened(memberOf(root, reference.slice('#/'.length).split('/')));
    const branches = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(branches)) return branches.flatMap(opened);
    return [schema];
  }

  function at(schemas: readonly DeclaredSchema[], [name, ...path]: readonly string[]): DeclaredSchema[] {
    if (name === undefined) return [...schemas];
    const next = schemas.flatMap((schema) => {
      if (name === EACH_ITEM) return opened(schema['items']);
      const { type, properties, additionalProperties: others } = schema;
      // Such as what a shop attaches, or the object of an event: any member may be there.
      const isAny = (type === 'object' || type === undefined) && properties === undefined;
      if (isAny) return opened(isObject(others) ? others : {});
      return opened(memberOf(properties, [name]) ?? (others === true ? {} : others));
    });
    return at(next, path);
  }

  return {
    takesMetadata: (operation) =>
      at(opened(contentOf(memberOf(operationOf(operation), ['requestBody']))), ['metadata']).length > 0,
    reply(operation, status) {
      // The scenarios wait for one event by `GET /events`.
      if (operation === EVENT_OPERATION) return opened(memberOf(root, ['components', 'schemas', EVENT]));
      return opened(contentOf(memberOf(operationOf(operation), ['responses', String(status)])));
    },
    at,
  };
}

/** Names what a step that waits for an event gets. */
export const EVENT_OPERATION = 'an event';

function memberOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
}
