import { masked } from '../mask.ts';
import type { Call, Notices } from '../notices.ts';
import { Refusal } from './refusals.ts';
import type { Route } from './route.ts';

/** What comes of a call, told once. */
interface ToldCall {
  answered(body: unknown, reply: unknown): void;
  failed(body: unknown, error: unknown): void;
}

const UNTOLD: ToldCall = { answered: () => {}, failed: () => {} };

/**
 * Tells that a call begins, before anything that it brings about. What only reads changes nothing and is not told,
 * nor is pairing, whose answers are credentials.
 */
export function tellCall(
  notices: Notices,
  route: Route,
  { path, params }: { path: string; params: Record<string, string> },
): ToldCall {
  if (route.method === 'GET' || (route.surface !== 'v1' && route.surface !== 'sandbox')) return UNTOLD;
  const call: Call = { method: route.method, path, pattern: route.path, params };
  const tell = (status: number, body: unknown, reply: unknown) =>
    notices.emit({ kind: 'call.answered', call, body: masked(body), status, reply: masked(reply) });
  notices.emit({ kind: 'call.began', call });
  return {
    answered: (body, reply) => tell(route.status, body, reply),
    failed(body, error) {
      if (!(error instanceof Refusal)) return tell(500, body, null);
      const { status, code, message } = error;
      tell(status, body, { errors: [{ code, message }] });
    },
  };
}
