import { useEffect, useRef, useState } from 'preact/hooks';
import { Brand, Icon } from '../parts/icons.tsx';
import { ThemeButton } from '../theme.tsx';
import { type OpenApiDocument, hasEveryWord } from './search-operations.ts';
import type { Reference } from './start-reference.ts';

interface ReferencePageProps {
  document: OpenApiDocument | undefined;
  texts: ReadonlyMap<string, string>;
  /** Shows the operations in an element. */
  start(root: HTMLElement): Promise<Reference>;
}

export function ReferencePage({ document, texts, start }: ReferencePageProps) {
  const [reference, setReference] = useState<Reference>();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document) void start(root.current!).then(setReference);
  }, []);
  return (
    <>
      <header class="top-bar">
        <Brand href="./" label="Tapbench dashboard" />
        <nav aria-label="Pages">
          <a href="./">Dashboard</a>
          <a href="guides/README.md">Documents</a>
          <a href="docs" aria-current="page">
            API reference
          </a>
        </nav>
        <div class="spacer" />
        <ThemeButton />
      </header>
      <main class="reference">
        <div class="reference-head">
          <h1>API reference</h1>
          <p>
            {document?.info.description} The <a href="openapi.json">OpenAPI document</a> has all of it.
          </p>
          <KeyNote reference={reference} />
        </div>
        <OperationSearch texts={texts} reference={reference} />
        <h2 class="unseen">Operations</h2>
        <div ref={root}>
          {document ? (
            <p class="quiet-note">Loading…</p>
          ) : (
            <p role="alert">The server did not send its document. Reload the page once it runs.</p>
          )}
        </div>
      </main>
    </>
  );
}

function KeyNote({ reference }: { reference: Reference | undefined }) {
  if (!reference) return null;
  return reference.hasKeys ? (
    <p class="key-note">The keys of this sandbox are filled in: open an operation, and press Try it out.</p>
  ) : (
    <p class="key-note">
      To try operations here, enter a key under Authorize, or come by the link that <code>tapbench up</code>{' '}
      prints.
    </p>
  );
}

interface OperationSearchProps extends Pick<ReferencePageProps, 'texts'> {
  reference: Reference | undefined;
}

function OperationSearch({ texts, reference }: OperationSearchProps) {
  const [phrase, setPhrase] = useState('');
  const found = [...texts.values()].filter((text) => hasEveryWord(text, phrase)).length;
  return (
    <search class="reference-search">
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Search names, paths and descriptions"
          value={phrase}
          disabled={!reference}
          onInput={({ currentTarget: { value } }) => {
            setPhrase(value.trim());
            reference?.search(value.trim());
          }}
        />
      </label>
      <span role="status">{phrase !== '' && `${found} of ${texts.size} operations`}</span>
    </search>
  );
}
