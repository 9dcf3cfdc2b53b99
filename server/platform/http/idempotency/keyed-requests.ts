import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { emitCall } from '../calls/emit-call.ts';
import { NO_CALLER } from '../auth.ts';
import type { CheckCall, ReceivedBody } from '../calls/check-call.ts';
import { noteReceived } from '../calls/exchange.ts';
import { readUpload, type Upload } from '../bodies/multipart.ts';
import { Refusal } from '../refusals.ts';
import { servicesOf } from '../request-context.ts';
import type { Route } from '../route.ts';
import { sendText } from '../pages/send-text.ts';
import { sendReply } from '../calls/struck-calls.ts';
import { answerOnce, type GivenAnswer } from './answer-once.ts';
import { findAnswer } from './kept-answers.ts';
import { KEY_HEADER } from './key-use.ts';
import { digestsOf, type KeyedDigests } from './keyed-request.ts';

const KEY_LENGTH_MAX = 255;

type Request = FastifyRequest<{ Params: Record<string, string> }>;

/**
 * Returns the handler of the requests to a route that have an idempotency key. A repetition gets the first answer
 * before anything of it is checked, since the object in its path may be gone.
 * @param headers of every answer, names and values in turn
 */
export function keyedHandlerOf(route: Route, check: CheckCall, headers: readonly string[]) {
  return async (request: Request, reply: FastifyReply): Promise<void> => {
    const services = servicesOf(request);
    const received: ReceivedBody = { body: undefined };
    noteReceived(request, received);
    const begin = () => emitCall(services, route, request);
    let callEnd: ReturnType<typeof begin> | undefined;
    let given: GivenAnswer;
    try {
      const digests = await digestsOfRequest(route, request, received);
      const answer = await findAnswer(services, digests);
      if (answer) given = { ...answer, replayed: true };
      else {
        callEnd = begin();
        given = await answerOnce(route, await check(request, received), digests);
      }
    } catch (error) {
      (callEnd ?? begin()).failed(received.body, error);
      throw error;
    }
    if ('refusal' in given) callEnd?.failed(received.body, given.refusal);
    else if ('reply' in given) callEnd?.answered(received.body, given.reply, given.text);
    else callEnd?.answered(received.body, JSON.parse(given.text), given.text);
    const replayed = 'replayed' in given ? ['idempotent-replayed', 'true'] : [];
    const answer = { status: given.status, headers: [...headers, ...replayed], text: given.text };
    if ('refusal' in given) sendText(reply, answer);
    else sendReply(route, reply, answer);
  };
}

async function digestsOfRequest(
  route: Route,
  request: Request,
  received: ReceivedBody,
): Promise<KeyedDigests> {
  const key = String(request.headers[KEY_HEADER]);
  if (key.length === 0 || key.length > KEY_LENGTH_MAX) {
    throw new Refusal('idempotency_key_length', { most: KEY_LENGTH_MAX });
  }
  if (route.upload) received.upload = await readUpload(request);
  const { accountId, keyKind } = request.caller ?? NO_CALLER;
  const content = received.upload ? contentOf(received.upload) : ((request.body as string | undefined) ?? '');
  const { pairingSecret } = servicesOf(request).settings;
  return digestsOf(pairingSecret, { key, accountId, keyKind, path: request.url, content });
}

/** Of a form, since its boundary differs each time that it is sent. */
function contentOf({ body, file }: Upload): string {
  const digest = file && createHash('sha256').update(file.bytes).digest('hex');
  return JSON.stringify([body, file?.name, file?.contentType, digest]);
}
