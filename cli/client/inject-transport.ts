import type { Server } from '../../server/app.ts';
import type { Transport } from './api-client.ts';

/** Sends requests to a server in this process, without a port. */
export function injectTransport({ http }: Server): Transport {
  return async ({ method, path, headers, body }) => {
    const answer = await http.inject({
      method,
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    const retryAfter = answer.headers['retry-after'];
    return {
      status: answer.statusCode,
      payload: answer.payload,
      retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    };
  };
}
