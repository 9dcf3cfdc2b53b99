import { hasEveryWord } from './search-operations.ts';

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
interface Collection<Item> {
  size: number;
  filter(keeps: (item: Item) => boolean): Collection<Item>;
  map(change: (item: Item) => Item): Collection<Item>;
}

/** A request that was sent, a map of immutable.js. */
interface SentRequest {
  get(name: 'headers'): HeaderMap | undefined;
  set(name: 'headers' | 'curlOptions', value: unknown): SentRequest;
}

interface HeaderMap {
  size: number;
  filterNot(leavesOut: (value: string, header: string) => boolean): HeaderMap;
  toList(): { clear(): { push(option: string): unknown } };
}

interface TaggedOperations {
  get(name: 'operations'): Collection<{ getIn(path: string[]): string }>;
  set(name: 'operations', operations: unknown): TaggedOperations;
}

export function swaggerUi(options: object): SwaggerUi {
  return (globalThis as unknown as SwaggerGlobal).SwaggerUIBundle(options);
}

/** Lets the filter look into all texts of an operation, and opens the tags that have one that fits. */
export function searchPlugin(texts: ReadonlyMap<string, string>) {
  const fits = (operationId: string, phrase: string) => hasEveryWord(texts.get(operationId) ?? '', phrase);
  return {
    fn: {
      opsFilter: (tagged: Collection<TaggedOperations>, phrase: string) =>
        tagged
          .map((tag) =>
            tag.set(
              'operations',
              tag
                .get('operations')
                .filter((operation) => fits(operation.getIn(['operation', 'operationId']), phrase)),
            ),
          )
          .filter((tag) => tag.get('operations').size > 0),
    },
    statePlugins: {
      layout: {
        wrapSelectors: {
          isShown:
            // The original is bound to the state.
            (original: (key: readonly string[], isShownAtFirst?: boolean) => boolean) =>
              (state: { get(name: 'filter'): unknown }, key: readonly string[], isShownAtFirst?: boolean) => {
                const isSearched = typeof state.get('filter') === 'string' && state.get('filter') !== '';
                const opens = isSearched && key[0] === 'operations-tag';
                return original(key, opens || isShownAtFirst);
              },
        },
      },
    },
  };
}

/** Leaves out what the page shows itself, and the links inside the buttons of the operations. */
export function layoutPlugin() {
  return {
    components: {
      FilterContainer: nothing,
      InfoContainer: nothing,
      ServersContainer: nothing,
      OperationServers: nothing,
    },
    wrapComponents: {
      DeepLink:
        (Original: unknown, { React }: SwaggerSystem) =>
        (props: { path: string; text: string }) =>
          // The path of an operation is its tag and its id.
          props.path.includes('/')
            ? React.createElement('span', null, props.text)
            : React.createElement(Original, props),
    },
  };
}

/** Shows the curl of a request without its secret key, which pages never show whole. */
export function keyMaskPlugin() {
  return {
    wrapComponents: {
      curl:
        (Original: unknown, { React }: SwaggerSystem) =>
        (props: { request: SentRequest }) =>
          React.createElement(Original, { ...props, request: withoutKey(props.request) }),
    },
  };
}

function withoutKey(request: SentRequest): SentRequest {
  const headers = request.get('headers');
  const shown = headers?.filterNot(isSecretKey);
  if (!headers || !shown || shown.size === headers.size) return request;
  // The value of a header is in single quotes, where a shell fills in no variable. An option is written as it is.
  const options = headers.toList().clear().push('-H "Authorization: $SECRET_KEY"');
  return request.set('headers', shown).set('curlOptions', options);
}

function isSecretKey(value: string, header: string): boolean {
  return header.toLowerCase() === 'authorization' && !value.startsWith('pk_');
}

const nothing = () => null;
