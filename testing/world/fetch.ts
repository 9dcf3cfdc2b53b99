import type { Server } from '../../server/app.ts';
import { sendCall, type OpenCalls } from './api.ts';

/**
 * Creates a `fetch` that calls a server in this process at its public address. Other addresses fail as without a
 * network.
 */
export function createFetch(server: () => Server, calls: OpenCalls): typeof globalThis.fetch {
  return async (input, init) => {
    calls.onCall?.();
    const request = simpleRequest(input, init) ?? (await wholeRequest(new Request(input, init)));
    const { publicUrl } = server().services.settings;
    const { origin, pathname, search } = request.url;
    if (origin !== publicUrl) throw new TypeError(`fetch failed: cannot reach ${origin}, only ${publicUrl}`);
    calls.open += 1;
    try {
      const { body, method, headers } = request;
      const answer = await sendCall(calls, () =>
        server().http.inject({
          method,
          url: pathname + search,
          headers: Object.fromEntries(headers),
          ...(body && { payload: body }),
        }),
      );
      const status = answer.statusCode;
      const more = { status, headers: headersOf(answer.headers) };
      return hasNoBody(status)
        ? new Response(null, more)
        : new WholeResponse(new Uint8Array(answer.rawPayload), more);
    } finally {
      calls.open -= 1;
    }
  };
}

/** A request whose body has been read. */
interface WholeRequest {
  url: URL;
  method: string;
  headers: Headers;
  body: string | Buffer | undefined;
}

const SIMPLE_METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/**
 * Returns a request with a text or no body as `Request` reads it, without the streams and signals that cost it more
 * than the call itself; undefined for any other.
 */
function simpleRequest(input: string | URL | Request, init: RequestInit = {}): WholeRequest | undefined {
  const { method = 'GET', headers, body = null, ...more } = init;
  const isText = typeof body === 'string' && method !== 'GET';
  const isSimple = SIMPLE_METHODS.includes(method) && (body === null || isText);
  if (input instanceof Request || !isSimple || Object.keys(more).length > 0) return undefined;
  const sent = new Headers(headers);
  if (isText && !sent.has('content-type')) sent.set('content-type', 'text/plain;charset=UTF-8');
  return { url: new URL(input), method, headers: sent, body: isText ? body : undefined };
}

async function wholeRequest(request: Request): Promise<WholeRequest> {
  const { url, method, headers } = request;
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  return { url: new URL(url), method, headers, body };
}

/** RFC 9110 §15.3.5, §15.3.6, §15.4.5. */
function hasNoBody(status: number): boolean {
  return [204, 205, 304].includes(status);
}

function headersOf(headers: Record<string, string | string[] | number | undefined>): Headers {
  const kept = new Headers();
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) if (value !== undefined) kept.append(name, String(value));
  }
  return kept;
}

type BodyMember = 'body' | 'bodyUsed' | 'text' | 'json' | 'arrayBuffer' | 'blob' | 'formData' | 'clone';

/** The members that `WholeResponse` does not replace. Node's types declare the others as properties of each instance. */
const ResponseHead = Response as unknown as new (
  body: null,
  init: ResponseInit,
) => Omit<Response, BodyMember>;

/**
 * A `Response` whose body has arrived. The one of Node streams each body, which costs more than a small reply itself;
 * this one creates the stream when it is read as one.
 */
export class WholeResponse extends ResponseHead {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #used = false;
  #streamed: Response | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init);
    this.#bytes = bytes;
  }

  get body(): Response['body'] {
    return (this.#streamed ??= this.#whole()).body;
  }

  get bodyUsed(): boolean {
    return this.#used || (this.#streamed?.bodyUsed ?? false);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#take());
  }

  async json(): Promise<unknown> {
    const json: unknown = JSON.parse(await this.text());
    return json;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#take().slice().buffer;
  }

  async blob(): Promise<Blob> {
    return this.#whole(this.#take()).blob();
  }

  async formData(): Promise<FormData> {
    return this.#whole(this.#take()).formData();
  }

  clone(): Response {
    if (this.#isUnusable) throw new TypeError('Response.clone: body has already been consumed');
    return this.#whole();
  }

  get #isUnusable(): boolean {
    return this.bodyUsed || (this.#streamed?.body?.locked ?? false);
  }

  /** Returns the bytes, once. @throws TypeError the second time, as fetch specifies */
  #take(): Uint8Array<ArrayBuffer> {
    if (this.#isUnusable) throw new TypeError('Body is unusable: body has already been read');
    this.#used = true;
    return this.#bytes;
  }

  /** Returns the same reply, as Node makes it. */
  #whole(bytes = this.#bytes): Response {
    const { status, statusText, headers } = this;
    return new Response(bytes, { status, statusText, headers });
  }
}
