import { scriptHtml } from '../../platform/http/pages/page-layout.ts';
import { safeHtml } from '../../platform/http/pages/safe-html.ts';
import type { PageResponse, WebPage } from '../../platform/http/pages/page.ts';
import { issuerPage, postingPage } from './issuer-html.ts';
import { decode, encode } from './three-ds-messages.ts';
import { METHOD_DONE_PATH, METHOD_PATH } from './three-ds.ts';

/**
 * The 3DS Method pages, which a shop loads in a hidden frame to fingerprint the browser (EMV 3DS 2.2 §5.8.1). The
 * frame posts `threeDSMethodData`, and the issuer's page posts the completion to the notification URL in it. Our own
 * notification page then posts a message to the shop's page, so that its script continues.
 */
export const methodPages: readonly WebPage[] = [
  {
    method: 'POST',
    path: METHOD_PATH,
    framed: true,
    handle: async ({ services, form }) => collectFingerprint(form, services.settings.publicUrl),
  },
  {
    method: 'GET',
    path: METHOD_PATH,
    framed: true,
    handle: async ({ services, query }) => collectFingerprint(query, services.settings.publicUrl),
  },
  { method: 'POST', path: METHOD_DONE_PATH, framed: true, handle: async ({ form }) => notifyParent(form) },
];

function collectFingerprint(fields: URLSearchParams, publicUrl: string): PageResponse {
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

function notifyParent(fields: URLSearchParams): PageResponse {
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
