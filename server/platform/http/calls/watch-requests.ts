import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Services } from '../../services.ts';
import { beginExchange, type Exchange } from './exchange.ts';

/** Notifies the watchers of a sandbox of a request, and of its answer once it is sent. */
export function watchRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { inputs }: Pick<Services, 'inputs'>,
): void {
  const { method = '', url = '', headers } = request;
  const onAnswer = inputs.requestArrived({ method, url, headers });
  if (!onAnswer) return;
  const exchange = beginExchange(request);
  let isAnswered = false;
  const end = (status: number | null) => {
    if (isAnswered) return;
    isAnswered = true;
    onAnswer({ status, headers: response.getHeaders(), body: bodyOf(exchange), answer: exchange.answer });
  };
  response.on('finish', () => end(response.statusCode));
  response.on('close', () => end(response.writableFinished ? response.statusCode : null));
}

function bodyOf({ request, received }: Exchange) {
  if (received?.upload) return received.upload;
  return typeof request?.body === 'string' ? request.body : undefined;
}
