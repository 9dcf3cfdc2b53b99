import { request, type IncomingHttpHeaders } from 'node:http';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: IncomingHttpHeaders;
}

interface Call {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/**
 * One request on a connection of its own, so that none is left over from a server that was killed meanwhile.
 * @throws when the connection ends before the whole answer is there
 */
export function call({ method, url, headers = {}, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode!, body: parsed(text), headers: response.headers });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
