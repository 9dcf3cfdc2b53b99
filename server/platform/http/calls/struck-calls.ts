import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CutPointName, FaultAt } from '../../faults/cut-points.ts';
import type { Strike } from '../../faults/fault-plans.ts';
import type { Services } from '../../services.ts';
import { RATE_PER_SECOND } from '../../rate-limit.ts';
import { exchangeOf } from './exchange.ts';
import { Refusal } from '../refusals.ts';
import { servicesOf } from '../request-context.ts';
import type { Route } from '../route.ts';
import { sendText, type ReplyAsText } from '../pages/send-text.ts';

type CallPoint = Extract<CutPointName, `api.${string}`>;
type StruckRequest = FastifyRequest<{ Params: Record<string, string> }>;

/** @param made ids of what the request has made */
function strikeOf<P extends CallPoint>(
  at: P,
  route: Route,
  request: FastifyRequest,
  services: Services,
  made: readonly string[] = [],
) {
  const { faults, requestLog } = services;
  if (route.surface !== 'v1') return undefined;
  const named = Object.values((request as StruckRequest).params);
  const ids = [...new Set([...named, ...made])];
  const occurrence = { at, operation: `${route.method} ${route.path}`, ids };
  const strike = faults?.strike(occurrence, storedIdOf(request, requestLog));
  return strike as (Strike & { what: FaultAt<P> }) | undefined;
}

/** Returns the id that a request is stored with; undefined where requests are not stored. */
function storedIdOf({ raw }: FastifyRequest, requestLog: Services['requestLog']): string | undefined {
  const exchange = requestLog && exchangeOf(raw);
  return exchange && (exchange.storedId ??= requestLog.newId());
}

/** Returns the id of the object in a reply, and of the action in it. */
function idsIn(text: string): string[] {
  const { id, action } = JSON.parse(text) as { id?: unknown; action?: { id?: unknown } | null };
  return [id, action?.id].filter((each) => typeof each === 'string');
}

/**
 * Lets a fault strike a request of the API before it is handled. Resolves with whether to handle it.
 * @throws Refusal `rate_exceeded`, `fault_unavailable`
 */
export async function strikeRequest(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const services = servicesOf(request);
  if (!services.faults?.awaits('api.request')) return true;
  const strike = strikeOf('api.request', route, request, services);
  switch (strike?.what) {
    case undefined:
      return true;
    case 'delay':
      if (await services.faults.hold(strike.delayMs, 'request')) return true;
      closeConnection(reply);
      return false;
    case 'rate-limited':
      throw new Refusal('rate_exceeded', { rate: RATE_PER_SECOND[services.settings.mode] });
    case 'unavailable':
      throw new Refusal('fault_unavailable');
    case 'reset':
      closeConnection(reply);
      return false;
  }
}

/** Sends the reply of a request that succeeded, unless a fault strikes it. */
export function sendReply(route: Route, reply: FastifyReply, sent: ReplyAsText): void {
  const services = servicesOf(reply.request);
  if (route.surface === 'v1') services.faults?.sendHeldBeside(() => idsIn(sent.text));
  const isAwaited = services.faults?.awaits('api.reply');
  const strike = isAwaited
    ? strikeOf('api.reply', route, reply.request, services, idsIn(sent.text))
    : undefined;
  if (!strike) return sendText(reply, sent);
  reply.hijack();
  if (strike.what === 'reset') return closeConnection(reply);
  const held = services.faults!.hold(strike.delayMs, 'reply');
  void held.then((isPassed) =>
    isPassed && strike.what === 'delay' ? sendText(reply, sent) : closeConnection(reply),
  );
}

function closeConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}
