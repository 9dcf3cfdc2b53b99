import type { FastifyRequest } from 'fastify';
import { maskSecrets } from '../mask-secrets.ts';
import type { ApiCall, Notices } from '../notices.ts';
import { pathOf } from './path-params.ts';
import { Refusal } from './refusals.ts';
import type { Route } from './route.ts';

/** Emits the notice of the end of a call. */
interface CallNotices {
  answered(body: unknown, reply: unknown): void;
  failed(body: unknown, error: unknown): void;
}

const NO_NOTICES: CallNotices = { answered: () => {}, failed: () => {} };

/**
 * Emits the notice that a call begins, before the notices of what it causes. Calls that only read have no notices,
 * nor do those of pairing, whose replies are credentials.
 */
export function emitCall(
  notices: Notices,
  route: Route,
  { url, params }: Pick<FastifyRequest<{ Params: Record<string, string> }>, 'url' | 'params'>,
): CallNotices {
  if (route.method === 'GET' || (route.surface !== 'v1' && route.surface !== 'sandbox')) return NO_NOTICES;
  const call: ApiCall = { method: route.method, path: pathOf(url), pattern: route.path, params };
  const end = (status: number, body: unknown, reply: unknown) =>
    notices.emit({ kind: 'call.answered', call, body: maskSecrets(body), status, reply: maskSecrets(reply) });
  notices.emit({ kind: 'call.began', call });
  return {
    answered: (body, reply) => end(route.status, body, reply),
    failed(body, error) {
      if (!(error instanceof Refusal)) return end(500, body, null);
      const { status, code, message } = error;
      end(status, body, { errors: [{ code, message }] });
    },
  };
}
