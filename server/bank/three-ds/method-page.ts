import { scriptHtml } from '../../platform/http/page-layout.ts';
import { safeHtml } from '../../platform/http/safe-html.ts';
import type { PageResponse, WebPage } from '../../platform/http/page.ts';
import { issuerPage, postingPage } from './issuer-html.ts';
import { decode, encode } from './three-ds-messages.ts';
import { METHOD_DONE_PATH, METHOD_PATH } from './three-ds.ts';

/**
 * What a hidden frame of a shop loads so that the issuer may look at the browser (EMV 3DS 2.2 §5.8.1): it posts
 * `threeDSMethodData`, and the issuer's page posts back that it has looked, to the address named in it. Our own
 * address then tells the shop's page by a message, so that its script can go on.
 */
export const methodPages: readonly WebPage[] = [
  {
    method: 'POST',
    path: METHOD_PATH,
    framed: true,
    handle: async ({ services, form }) => look(form, services.settings.publicUrl),
  },
  {
    method: 'GET',
    path: METHOD_PATH,
    framed: true,
    handle: async ({ services, query }) => look(query, services.settings.publicUrl),
  },
  { method: 'POST', path: METHOD_DONE_PATH, framed: true, handle: async ({ form }) => tell(form) },
];

function look(fields: URLSearchParams, publicUrl: string): PageResponse {
  const data = decode(fields.get('threeDSMethodData') ?? fields.get('threeDsMethodData') ?? '');
  const runId = data?.['threeDSServerTransID'];
  const address = data?.['threeDSMethodNotificationURL'] ?? publicUrl + METHOD_DONE_PATH;
  const isAddress = typeof address === 'string' && /^(https?:\/\/|\/)/.test(address);
  if (typeof runId !== 'string' || !isAddress) {
    const body = safeHtml`<p>There is no threeDSMethodData here that names an authentication.</p>`;
    return { html: issuerPage('No such request', body), status: 400 };
  }
  return { html: postingPage(address, { threeDSMethodData: encode({ threeDSServerTransID: runId }) }) };
}

function tell(fields: URLSearchParams): PageResponse {
  const data = decode(fields.get('threeDSMethodData') ?? '');
  const runId = data?.['threeDSServerTransID'];
  const fingerprint = {
    ...(typeof runId === 'string' && { threeDSServerTransID: runId }),
    threeDSCompInd: 'Y',
  };
  const message = JSON.stringify({ type: 'threeDsMethodFinished', fingerprint: encode(fingerprint) });
  const body = safeHtml`<p data-message="${message}">The issuer has looked at this browser.</p>${scriptHtml('tellParent')}`;
  return { html: issuerPage('Done', body) };
}
