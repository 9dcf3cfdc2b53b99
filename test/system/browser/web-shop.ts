import type { AddressInfo } from 'node:net';
import { createServer } from 'node:https';
import { makeCertificate } from '../kit/certificate.ts';

export interface WebShop {
  url: string;
  /** The checkout of a session, where a browser pays it with this card. */
  checkout(session: { clientSecret: string }, number: string): string;
  close(): Promise<void>;
}

/**
 * An online shop on the loopback, over TLS as return addresses have to be. Its checkout is written the way shops
 * write it: it calls the API from the browser with the public key, shows the browser to the bank in a hidden frame,
 * and sends it to the bank's page.
 */
export async function openWebShop(api: { url: string; publicKey: string }): Promise<WebShop> {
  const server = createServer(makeCertificate(), (request, response) => {
    const { pathname } = new URL(request.url!, 'https://shop');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(pathname === '/checkout' ? checkoutPage(api) : `<h1>Shop</h1><p>${pathname}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    checkout: ({ clientSecret }, number) => `${url}/checkout#${JSON.stringify({ clientSecret, number })}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function checkoutPage({ url, publicKey }: { url: string; publicKey: string }): string {
  return `<!doctype html><title>Checkout</title><h1>Checkout</h1>
<iframe name="bank" hidden></iframe><p id="state"></p>
<script>
const { clientSecret, number } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const call = async (what, body) => (await fetch('${url}/v1/payment-sessions/' + what, {
  method: 'POST',
  headers: { authorization: '${publicKey}', 'content-type': 'application/json' },
  body: JSON.stringify({ clientSecret, ...body }),
})).json();
function post(action, fields, target) {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, target });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
}
async function pay() {
  const cardDetails = { number, expiryMonth: '12', expiryYear: '2035', cvc: '123' };
  let session = await call('attempt-payment', { cardDetails });
  if (session.requiredAction?.type === 'Identify') {
    const { threeDsMethodUrl, threeDsMethodData } = session.requiredAction.identify;
    const looked = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
    post(threeDsMethodUrl, { threeDSMethodData: threeDsMethodData }, 'bank');
    const { data } = await looked;
    session = await call('continue-payment', { threeDs: { fingerprint: data.fingerprint } });
  }
  document.getElementById('state').textContent = session.status + ' ' + (session.lastError ?? '');
  if (session.requiredAction?.type === 'Challenge') {
    const { acsUrl, cReq } = session.requiredAction.challenge;
    post(acsUrl, { creq: cReq }, '_self');
  }
}
pay();
</script>`;
}
