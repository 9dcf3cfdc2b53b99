import { hasEveryWord } from './search-operations.ts';
import type { Collection, SwaggerSystem, TaggedOperations } from './swagger-ui.ts';

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

const nothing = () => null;
