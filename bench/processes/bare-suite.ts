import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { handleParentRequests, usageOfProcess } from './parent-requests.ts';
import { CAPTURED } from '../suite-calls.ts';

/** Answers the calls of a test with a sandbox of its own, without a store: sandboxes are entries of a map. */
function bareSuite() {
  const agent = new Agent();
  /** Sandboxes by their keys. */
  const names = new Map<string, string>();
  /** Of sandboxes, which a fork gets from its source. */
  const webhookUrls = new Map<string, string>();
  let lastId = 0;

  async function answerTo({ method, url = '', headers }: IncomingMessage, text: string): Promise<object> {
    const key = headers.authorization!;
    const body = text === '' ? {} : (JSON.parse(text) as { name?: string; from?: string; url?: string });
    const id = ++lastId;
    if (method === 'POST' && url === '/sandboxes') {
      const { name = `sandbox-${id}` } = body;
      const secretKey = `sk_sandbox_${id}`;
      names.set(secretKey, name);
      const inherited = webhookUrls.get(body.from ?? '');
      if (inherited !== undefined) webhookUrls.set(name, inherited);
      return { name, secretKey, terminals: [{ id: `tml_${id}` }] };
    }
    if (method === 'POST' && url === '/v1/webhooks') {
      webhookUrls.set(names.get(key)!, body.url!);
      return { id };
    }
    if (method === 'DELETE') return { deleted: webhookUrls.delete(url.slice('/sandboxes/'.length)) };
    const name = names.get(key)!;
    const webhookUrl = webhookUrls.get(name);
    if (url.endsWith('/payment') && webhookUrl !== undefined) {
      setImmediate(() => void sendWebhook(agent, webhookUrl, name));
      return { paymentSessionId: `ps_${id}` };
    }
    return { items: [] };
  }

  return createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      void answerTo(incoming, Buffer.concat(chunks).toString('utf8')).then((body) => reply(response, body));
    });
  });
}

function reply(response: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

async function sendWebhook(agent: Agent, url: string, sandbox: string): Promise<void> {
  const body = JSON.stringify({ eventType: CAPTURED });
  const headers = { 'content-type': 'application/json', 'tapbench-sandbox': sandbox };
  const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
  await answer.body.dump();
}

handleParentRequests({
  start: () =>
    new Promise((resolve) => {
      const server = bareSuite();
      // Its connections rest while ours are measured.
      server.keepAliveTimeout = 0;
      server.listen(0, '127.0.0.1', () =>
        resolve({
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          secretKey: 'sk_sandbox_bare',
        }),
      );
    }),
  usage: usageOfProcess,
});
