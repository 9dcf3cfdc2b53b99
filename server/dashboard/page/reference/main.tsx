import { render } from 'preact';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/shell.css';
import '../styles/reference.css';
import { applyStoredTheme } from '../theme.tsx';
import { ReferencePage } from './reference-page.tsx';
import { operationTexts } from './search-operations.ts';
import { fetchDocument, startReference } from './start-reference.ts';

applyStoredTheme();
const document = await fetchDocument();
const texts = document ? operationTexts(document) : new Map<string, string>();
render(
  <ReferencePage
    document={document}
    texts={texts}
    start={(root) => startReference(root, document!, texts)}
  />,
  globalThis.document.getElementById('page')!,
);
