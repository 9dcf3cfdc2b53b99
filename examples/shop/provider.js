/** Calls of the payment provider's API. Both shops use it. */

/**
 * @typedef {any} Json A body of a reply.
 *
 * @typedef {object} Call
 * @property {'GET' | 'POST'} method
 * @property {string} path Such as `/v1/events`.
 * @property {object} [body]
 * @property {number} [tries] How often it is sent until there is a reply; 1 by default.
 * @property {number} [timeoutMs] How long it waits for the reply; until the connection ends by default.
 *
 * @typedef {object} ProviderOptions
 * @property {string} url Of the API, without a trailing slash.
 * @property {string} secretKey
 * @property {typeof globalThis.fetch} fetch
 * @property {(ms: number) => Promise<unknown>} sleep
 *
 * @typedef {object} Provider
 * @property {(call: Call) => Promise<Json>} send Sends a request. Throws Refusal, or NoReply when all tries went without one.
 * @property {(path: string) => Promise<Json>} read Reads a path, again until there is a reply. Throws Refusal.
 * @property {() => boolean} isClosed
 * @property {() => void} close Sends nothing more, not even what is being tried again.
 */

/** The provider understood the request and does not do it. */
export class Refusal extends Error {}

/** Nobody knows whether the request was done. */
export class NoReply extends Error {}

const READ_TIMEOUT_MS = 10_000;
const PAUSE_MS = 1_000;

/**
 * @param {ProviderOptions} options
 * @returns {Provider}
 */
export function openProvider({ url, secretKey, fetch, sleep }) {
  let isClosed = false;

  /** @param {Call} call */
  async function attempt({ method, path, body, timeoutMs }) {
    const abort = new AbortController();
    const sent = fetch(url + path, {
      method,
      signal: abort.signal,
      headers: {
        authorization: secretKey,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).then(async (response) => ({ response, text: await response.text() }));
    if (timeoutMs === undefined) return sent;
    // What comes after the time-out is of no use.
    sent.catch(() => undefined);
    const late = sleep(timeoutMs).then(() => undefined);
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

  return {
    send,
    read: (path) => send({ method: 'GET', path, tries: Infinity, timeoutMs: READ_TIMEOUT_MS }),
    isClosed: () => isClosed,
    close: () => void (isClosed = true),
  };
}

/**
 * Returns whether the reply does not say that the request is refused: too many requests, or an error of the server.
 * @param {Response} response
 */
function isTemporary({ status }) {
  return status === 429 || status >= 500;
}

/** @param {string} text */
function messageIn(text) {
  try {
    return JSON.parse(text).errors[0].message;
  } catch {
    return text;
  }
}
