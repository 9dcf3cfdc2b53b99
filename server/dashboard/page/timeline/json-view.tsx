import { CopyButton } from '../parts/copy-button.tsx';
import { jsonTokens } from './json-tokens.ts';

/** Indented JSON, keys and values in different colours. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <div class="json">
      <CopyButton text={JSON.stringify(value, null, 2)} what="JSON" />
      {/* Focusable, so that a long one is scrolled with the keyboard. */}
      <pre tabIndex={0}>
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
