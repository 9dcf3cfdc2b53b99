import type { Server } from '../../server/app.ts';
import { sendCall, type OpenCalls } from './api.ts';

/**
 * Creates a `fetch` that calls a server in this process at its public address. Other addresses fail as without a
 * network.
 */
export function createFetch(server: () => Server, calls: OpenCalls): typeof globalThis.fetch {
  return async (input, init) => {
    calls.onCall?.();
    const request = new Request(input, init);
    const { publicUrl } = server().services.settings;
    const { origin, pathname, search } = new URL(request.url);
    if (origin !== publicUrl) throw new TypeError(`fetch failed: cannot reach ${origin}, only ${publicUrl}`);
    calls.open += 1;
    try {
      const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
      const answer = await sendCall(calls, () =>
        server().http.inject({
          method: request.method,
          url: pathname + search,
          headers: Object.fromEntries(request.headers),
          ...(body && { payload: body }),
        }),
      );
      return new Response(hasNoBody(answer.statusCode) ? null : new Uint8Array(answer.rawPayload), {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
      });
    } finally {
      calls.open -= 1;
    }
  };
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
