import type { FastifyInstance } from 'fastify';

/** A text that the server gives to anybody, as it is. */
export interface ServedFile {
  path: string;
  /** Content type. */
  type: string;
  text: string;
}

export function serveFile(http: FastifyInstance, { path, type, text }: ServedFile): void {
  http.get(path, (_request, reply) => reply.header('content-type', type).send(text));
}
