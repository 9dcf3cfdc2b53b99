import type { TraceBody, TraceCall } from '../../server/traces/trace-item.schema.ts';
import { mapTexts } from './map-texts.ts';

/** Names the recorded call that a request repeats, by its `seq`. */
export const CALL_HEADER = 'tapbench-replayed-call';

/** Returns the request that repeats a recorded call. `map` puts ids and secrets of the replay into a text. */
export async function replayedRequest(
  { seq, method, url, headers, body }: TraceCall,
  map: (text: string) => string,
) {
  const { payload, type } = await payloadOf(body, map);
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]));
  return {
    method,
    url: map(url),
    headers: { ...sent, ...(type !== undefined && { 'content-type': type }), [CALL_HEADER]: String(seq) },
    payload,
  };
}

async function payloadOf(body: TraceBody | null, map: (text: string) => string): Promise<Payload> {
  if (!body) return { payload: undefined };
  if ('text' in body) return { payload: map(body.text) };
  if ('json' in body) return { payload: JSON.stringify(mapTexts(body.json, map)) };
  return formOf(body, map);
}

interface Payload {
  payload: string | Buffer | undefined;
  /** Content type of a form. */
  type?: string;
}

/** The bytes of the file are not in the trace: others of the same number are sent. */
async function formOf(
  { form, file }: Extract<TraceBody, { form: unknown }>,
  map: (text: string) => string,
): Promise<Payload> {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) data.set(map(name), map(String(value)));
  if (file)
    data.set('file', new File([Buffer.alloc(file.bytes, ' ')], map(file.name), { type: file.contentType }));
  const encoded = new Response(data);
  const type = encoded.headers.get('content-type')!;
  return { payload: Buffer.from(await encoded.arrayBuffer()), type };
}
