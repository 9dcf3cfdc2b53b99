import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Lets the routes of `scope` read bodies of any size and type as they arrive. */
export async function acceptFiles(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, content, done) => done(null, content));
}

/** Returns the body of a request as it arrives; an empty one where it has none. */
export function fileBodyOf({ body, raw }: Pick<FastifyRequest, 'body' | 'raw'>): Readable {
  return body instanceof Readable ? body : raw;
}
