/** Starts a shop as a process. README.md describes the environment that it reads. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { answerFrom } from './http-server.js';
import { openOrderBook } from './order-book.js';
import { openProvider } from './provider.js';
import { openShop } from './shop.js';
import { registerWebhook } from './webhook.js';

/** @import { Provider } from './provider.js' */
/** @import { ShopOptions } from './shop.js' */

/** @param {ShopOptions['openPayments']} openPayments */
export async function start(openPayments) {
  const { TAPBENCH_URL = 'http://127.0.0.1:8080', TAPBENCH_KEY, TAPBENCH_TERMINAL } = process.env;
  const {
    TAPBENCH_WEBHOOK_SECRET,
    TAPBENCH_PORT = '3000',
    TAPBENCH_STORE = 'shop.db',
    TAPBENCH_SPEED = '1',
  } = process.env;
  if (!TAPBENCH_KEY) throw new Error('TAPBENCH_KEY is needed: the secret key that tapbench up prints');
  // In a hunt the time of the sandbox passes faster than real time, and the shop waits as much less.
  /** @param {number} ms */
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms / Number(TAPBENCH_SPEED)));
  const access = { url: TAPBENCH_URL, secretKey: TAPBENCH_KEY, fetch, sleep };
  const provider = openProvider(access);
  const book = openOrderBook(TAPBENCH_STORE);

  // Events that arrive while it starts are sent again later.
  let answer = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  server.listen(Number(TAPBENCH_PORT), '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const webhookSecret =
    TAPBENCH_WEBHOOK_SECRET ?? (await registerWebhook({ provider, book, url: `${url}/webhooks` }));
  const terminalId = TAPBENCH_TERMINAL ?? (await firstTerminal(provider));
  answer = answerFrom(openShop({ ...access, openPayments, book, webhookSecret, terminalId }));
  console.log(`The till is at ${url}/`);
}

/** @param {Provider} provider @returns {Promise<string>} */
async function firstTerminal(provider) {
  const { items } = await provider.send({
    method: 'GET',
    path: '/v1/in-person/terminals',
    tries: 5,
    timeoutMs: 10_000,
  });
  if (items.length === 0) throw new Error('the account has no terminal: register one');
  return items.at(-1).id;
}
