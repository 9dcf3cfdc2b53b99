import { Copied } from '../parts/copied.tsx';
import { jsonTokens } from './json-tokens.ts';

/** JSON as it is read: indented, keys and values told apart. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <div class="json">
      <Copied text={JSON.stringify(value, null, 2)} what="JSON" />
      <pre>
        {jsonTokens(value).map(({ kind, text }, index) =>
          kind === 'plain' ? (
            text
          ) : (
            <span key={index} class={`json-${kind}`}>
              {text}
            </span>
          ),
        )}
      </pre>
    </div>
  );
}
