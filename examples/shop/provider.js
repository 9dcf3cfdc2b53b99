/** Calls of the payment provider's API. Both shops use it. */

/**
 * @typedef {any} Json A body of a reply.
 *
 * @typedef {object} Call
 * @property {'GET' | 'POST'} method
 * @property {string} path Such as `/v1/events`.
 * @property {object} [body]
 * @property {string} [key] Idempotency key: with it, the same request can be sent again and is done once.
 * @property {number} [tries] How often it is sent until there is a reply; 1 by default.
 *
 * @typedef {object} ProviderOptions
 * @property {string} url Of the API, without a trailing slash.
 * @property {string} secretKey
 * @property {typeof globalThis.fetch} fetch
 * @property {(ms: number) => Promise<unknown>} sleep
 *
 * @typedef {object} Provider
 * @property {(call: Call) => Promise<Json>} send Sends a request. Throws Refusal, or NoReply when all tries went without one.
 * @property {() => void} close Sends nothing more, not even what is being tried again.
 */

/** The provider understood the request and does not do it. */
export class Refusal extends Error {}

/** Nobody knows whether the request was done. */
export class NoReply extends Error {}

const TIMEOUT_MS = 10_000;
const PAUSE_MS = 1_000;

/**
 * @param {ProviderOptions} options
 * @returns {Provider}
 */
export function openProvider({ url, secretKey, fetch, sleep }) {
  let isClosed = false;

  /** @param {Call} call */
  async function attempt({ method, path, body, key }) {
    const abort = new AbortController();
    const sent = fetch(url + path, {
      method,
      signal: abort.signal,
      headers: {
        authorization: secretKey,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).then(async (response) => ({ response, text: await response.text() }));
    // What comes after the time-out is of no use.
    sent.catch(() => undefined);
    const late = sleep(TIMEOUT_MS).then(() => undefined);
    const answer = await Promise.race([sent, late]);
    if (!answer) abort.abort();
    return answer;
  }

  /** @param {Call} call */
  async function send({ tries = 1, ...call }) {
    for (let left = tries; left > 0 && !isClosed; left -= 1) {
      const answer = await attempt(call).catch(() => undefined);
      if (answer?.response.ok) return JSON.parse(answer.text);
      if (answer && !isTemporary(answer.response)) throw new Refusal(messageIn(answer.text));
      if (left > 1) await sleep(PAUSE_MS);
    }
    throw new NoReply(`no reply to ${call.method} ${call.path}`);
  }

  return { send, close: () => void (isClosed = true) };
}

/**
 * Returns whether the same request can be answered otherwise a little later: too many requests, an error of the server, or
 * another request with the same idempotency key that is still under way, which says when to try again.
 * @param {Response} response
 */
function isTemporary({ status, headers }) {
  return status === 429 || status >= 500 || headers.has('retry-after');
}

/** @param {string} text */
function messageIn(text) {
  try {
    return JSON.parse(text).errors[0].message;
  } catch {
    return text;
  }
}
