import type { SandboxKeys } from '../../view.ts';
import { createApi } from '../link/api.ts';
import { createSession } from '../link/session.ts';
import type { OpenApiDocument } from './search-operations.ts';
import {
  keyMaskPlugin,
  layoutPlugin,
  searchPlugin,
  swaggerUi,
  type SwaggerSystem,
  type SwaggerUi,
} from './swagger-ui.ts';

/** Attributes that Swagger UI leaves out, or sets to what a button does not say. */
const ATTRIBUTES: readonly [selector: string, attribute: string, value: string][] = [
  ['.copy-to-clipboard > button', 'aria-label', 'Copy'],
  ['.copy-to-clipboard:not(:has(button))', 'aria-hidden', 'true'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['textarea.body-param__text', 'aria-label', 'Body of the request'],
  ['.parameters select', 'aria-label', 'Value'],
  ['.content-type', 'aria-label', 'Content type'],
  ['pre.microlight, .body-param__example, pre.curl, .request-url pre', 'tabindex', '0'],
  ['.close-modal', 'aria-label', 'Close'],
  ['.modal-btn.auth[type="submit"]', 'aria-label', 'Authorize'],
  ['.modal-btn.auth:not([type="submit"], .btn-done)', 'aria-label', 'Logout'],
  ['.auth-container h6', 'aria-level', '5'],
];

/** Sets the attributes that the elements of Swagger UI lack, now and as they appear. */
function nameElements(root: HTMLElement): void {
  const name = () => {
    for (const [selector, attribute, value] of ATTRIBUTES) {
      for (const element of root.querySelectorAll(selector)) {
        if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
      }
    }
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
  name();
}

/** The operations as they are shown. */
export interface Reference {
  /** Whether the keys of the sandbox are filled in. */
  hasKeys: boolean;
  /** Shows the operations with every word of a phrase; all for an empty one. */
  search(phrase: string): void;
}

/** Returns the document of this server; undefined when it cannot be reached. */
export async function fetchDocument(): Promise<OpenApiDocument | undefined> {
  const response = await fetch('openapi.json').catch(() => undefined);
  return response?.ok ? ((await response.json()) as OpenApiDocument) : undefined;
}

/** Shows the operations of a document with Swagger UI, with the keys of the sandbox for who came by its link. */
export async function startReference(
  root: HTMLElement,
  document: OpenApiDocument,
  texts: ReadonlyMap<string, string>,
): Promise<Reference> {
  const keys = sandboxKeys();
  let system!: SwaggerSystem;
  let ui!: SwaggerUi;
  await new Promise<void>((resolve) => {
    ui = swaggerUi({
      // The sandbox of this page, at the address by which the browser reaches it.
      spec: { ...document, servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }] },
      domNode: root,
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      filter: true,
      syntaxHighlight: false,
      // The validator of the package's authors is a call to the outside.
      validatorUrl: null,
      plugins: [
        layoutPlugin,
        keyMaskPlugin,
        () => searchPlugin(texts),
        (own: SwaggerSystem) => void (system = own),
      ],
      onComplete: resolve,
    });
  });
  nameElements(root);
  const found = await keys;
  if (found) {
    ui.preauthorizeApiKey('secretApiKeyAuth', found.secretKey);
    ui.preauthorizeApiKey('publicApiKeyAuth', found.publicKey);
  }
  return { hasKeys: found !== undefined, search: (phrase) => system.layoutActions.updateFilter(phrase) };
}

/** Returns the keys of the sandbox; undefined for a browser without its token, and for live keys. */
async function sandboxKeys(): Promise<SandboxKeys | undefined> {
  const answer = await createApi(createSession()).get<SandboxKeys>('/dashboard/keys');
  return answer.ok ? answer.body : undefined;
}
