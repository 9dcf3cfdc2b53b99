import { hasEveryWord } from './search-operations.ts';
import type { Collection, SentRequest, SwaggerSystem, TaggedOperations } from './swagger-ui.ts';

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
