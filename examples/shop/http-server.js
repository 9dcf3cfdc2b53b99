/** The shop over HTTP: the page of the till, its orders, its books and its webhook endpoint. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Rejected } from './shop.js';

/** @import { IncomingMessage, RequestListener, ServerResponse } from 'node:http' */
/** @import { Shop } from './shop.js' */

const PAGE = join(import.meta.dirname, 'till');
/** @type {Record<string, [file: string, type: string]>} */
const FILES = {
  '/': ['till.html', 'text/html; charset=utf-8'],
  '/till.css': ['till.css', 'text/css; charset=utf-8'],
  '/till.js': ['till.js', 'text/javascript; charset=utf-8'],
};
/** Nothing from elsewhere, and no icon. */
const POLICY = "default-src 'self'; img-src data:";
const BODY_MAX = 1_000_000;

/**
 * Returns what answers the requests of the till, the accountant and the payment provider.
 * @param {Shop} shop
 * @returns {RequestListener}
 */
export function answerFrom(shop) {
  return (request, response) => {
    answer(shop, request, response).catch((thrown) => {
      if (!(thrown instanceof Rejected)) console.error(thrown);
      const status = thrown instanceof Rejected ? thrown.status : 500;
      sendJson(response, status, { message: status === 500 ? 'something went wrong' : thrown.message });
    });
  };
}

/** @param {Shop} shop @param {IncomingMessage} request @param {ServerResponse} response */
async function answer(shop, request, response) {
  const { pathname } = new URL(request.url, 'http://till');
  const call = `${request.method} ${pathname}`;
  const file = request.method === 'GET' && FILES[pathname];
  if (file) {
    const text = await readFile(join(PAGE, file[0]));
    const headers = { 'content-type': file[1], 'content-security-policy': POLICY };
    return response.writeHead(200, headers).end(text);
  }
  if (call === 'GET /orders') return sendJson(response, 200, { orders: shop.orders() });
  if (call === 'GET /books') return sendJson(response, 200, shop.books());
  if (call === 'POST /webhooks') {
    const status = shop.receive(await bodyOf(request), String(request.headers.signature ?? ''));
    return response.writeHead(status).end();
  }
  if (call === 'POST /orders') return sendJson(response, 200, shop.sell(await jsonOf(request)));
  const [, orderId, verb] = /^\/orders\/([\w-]+)(?:\/(pay|refund|cancel))?$/.exec(pathname) ?? [];
  if (orderId && !verb && request.method === 'GET') return sendJson(response, 200, shop.order(orderId));
  if (orderId && verb && request.method === 'POST') return sendJson(response, 200, shop[verb](orderId));
  throw new Rejected(404, `there is nothing at ${call}`);
}

/** @param {ServerResponse} response @param {number} status @param {unknown} body */
function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** @param {IncomingMessage} request */
async function jsonOf(request) {
  // A page of another origin cannot send this type without being asked.
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw new Rejected(415, 'the body must be JSON');
  const body = await bodyOf(request);
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    throw new Rejected(400, 'the body is no JSON');
  }
}

/** @param {IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_MAX) throw new Rejected(413, 'the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
