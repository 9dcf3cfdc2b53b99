/** What the reference uses of Swagger UI, which `swagger-ui-bundle.js` sets as a global. */
interface SwaggerGlobal {
  SwaggerUIBundle(options: object): SwaggerUi;
}

export interface SwaggerUi {
  /** Fills in the key of a security scheme. */
  preauthorizeApiKey(scheme: string, key: string): void;
}

/** What Swagger UI passes to its plugins. */
export interface SwaggerSystem {
  React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown };
  layoutActions: { updateFilter(phrase: string): void };
}

/** A collection of immutable.js, in which Swagger UI keeps the operations. */
export interface Collection<Item> {
  size: number;
  filter(keeps: (item: Item) => boolean): Collection<Item>;
  map(change: (item: Item) => Item): Collection<Item>;
}

/** A request that was sent, a map of immutable.js. */
export interface SentRequest {
  get(name: 'headers'): HeaderMap | undefined;
  set(name: 'headers' | 'curlOptions', value: unknown): SentRequest;
}

interface HeaderMap {
  size: number;
  filterNot(leavesOut: (value: string, header: string) => boolean): HeaderMap;
  toList(): { clear(): { push(option: string): unknown } };
}

export interface TaggedOperations {
  get(name: 'operations'): Collection<{ getIn(path: string[]): string }>;
  set(name: 'operations', operations: unknown): TaggedOperations;
}

export function swaggerUi(options: object): SwaggerUi {
  return (globalThis as unknown as SwaggerGlobal).SwaggerUIBundle(options);
}
