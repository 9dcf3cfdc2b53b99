import type { World } from '../../testing/world/world.ts';

const DELAY_MS = 40;

/** Every fault that cuts a request or its reply, each by chance, for as long as a test runs. */
export const CUTTING_FAULTS = [
  ['api.request', 'reset'],
  ['api.request', 'delay'],
  ['api.request', 'rate-limited'],
  ['api.request', 'unavailable'],
  ['api.reply', 'reset'],
  ['api.reply', 'no-reply'],
  ['api.reply', 'delay'],
].map(([at, what]) => ({
  at,
  what,
  when: { percent: 12, times: 10_000 },
  ...(at === 'api.reply' || what === 'delay' ? { delayMs: DELAY_MS } : {}),
}));

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

interface Received {
  status: number;
  text: string;
  headers: Headers;
}

/** Sends a request to a world with faults, whose time passes until its connection ends; undefined without a reply. */
export async function sendThroughFaults(
  world: World,
  { method, path, body, headers }: Sent,
): Promise<Received | undefined> {
  const { publicUrl, secretKey } = world.server.services.settings;
  const all = {
    authorization: secretKey,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  const sent = world
    .fetch(`${publicUrl}${path}`, { method, headers: all, ...(body !== undefined && { body }) })
    .then(async (reply) => ({ status: reply.status, text: await reply.text(), headers: reply.headers }))
    .catch(() => undefined);
  let hasEnded = false;
  const reply = sent.finally(() => (hasEnded = true));
  // A fault may hold the request, and another its reply.
  while (!hasEnded) await world.advance({ ms: DELAY_MS });
  return reply;
}
