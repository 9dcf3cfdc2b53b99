import type { Transport } from '../protocol/api-call.ts';
import type { Server } from '../server/app.ts';

/** Sends requests to a server in this process, without a port. */
export function injectTransport({ http }: Pick<Server, 'http'>): Transport {
  return async ({ method, path, headers, body }) => {
    const answer = await http.inject({
      method,
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
  };
}
