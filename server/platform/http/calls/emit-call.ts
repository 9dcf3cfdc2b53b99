import type { FastifyRequest } from 'fastify';
import { knownSecrets, maskSecrets } from '../../mask-secrets.ts';
import type { ApiCall } from '../../activities.ts';
import type { Services } from '../../services.ts';
import { pathOf } from '../path-params.ts';
import { Refusal } from '../refusals.ts';
import type { Route } from '../route.ts';

/** Emits the end of a call as an activity. */
interface CallEnd {
  /** @param text the reply as it is sent; `value` is what it was made of */
  answered(body: unknown, value: unknown, text: string): void;
  failed(body: unknown, error: unknown): void;
}

interface IdsInReply {
  objectId: string | null;
  actionId: string | null;
}

const NO_IDS: IdsInReply = { objectId: null, actionId: null };

const NOT_EMITTED: CallEnd = { answered: () => {}, failed: () => {} };

/**
 * Emits that a call begins, before what it causes. Calls that only read are not emitted,
 * nor do those of pairing, whose replies are credentials.
 */
export function emitCall(
  { activities, observers, settings }: Pick<Services, 'activities' | 'observers' | 'settings'>,
  route: Route,
  { url, params }: Pick<FastifyRequest<{ Params: Record<string, string> }>, 'url' | 'params'>,
): CallEnd {
  if (route.method === 'GET' || (route.surface !== 'v1' && route.surface !== 'sandbox')) return NOT_EMITTED;
  const call: ApiCall = { method: route.method, path: pathOf(url), pattern: route.path, params };
  const known = knownSecrets(settings);
  const end = observers.guard(
    'calls',
    (status: number, body: unknown, reply: () => unknown, ids: IdsInReply = NO_IDS) =>
      activities.emit({
        kind: 'call.answered',
        call,
        // At once: a request may have a card number, and the timelines keep the activity.
        body: maskSecrets(body, { known }),
        status,
        // Most are never shown, and masking a reply takes longer than many calls.
        reply: () => maskSecrets(reply(), { known }),
        objectId: ids.objectId,
        actionId: ids.actionId,
      }),
  );
  activities.emit({ kind: 'call.began', call });
  return {
    answered: (body, value, text) => end(route.status, body, () => JSON.parse(text), idsIn(value)),
    failed(body, error) {
      if (!(error instanceof Refusal)) return end(500, body, () => null);
      const { status, code, message } = error;
      end(status, body, () => ({ errors: [{ code, message }] }));
    },
  };
}

function idsIn(value: unknown): IdsInReply {
  const { id, action } = (value ?? {}) as { id?: unknown; action?: { id?: unknown } };
  return { objectId: textOrNull(id), actionId: textOrNull(action?.id) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
