import type { FastifyInstance } from 'fastify';
import type { ServerSettings } from '../../settings.ts';
import { servicesOf } from '../request-context.ts';

/** A text file that the server sends without authentication. */
export interface ServedFile {
  path: string;
  /** Content type. */
  type: string;
  text: (settings: ServerSettings) => string;
}

export function serveFile(http: FastifyInstance, { path, type, text }: ServedFile): void {
  http.get(path, (request, reply) =>
    reply.header('content-type', type).send(text(servicesOf(request).settings)),
  );
}
