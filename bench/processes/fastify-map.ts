import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { KEEP_ALIVE_MS } from '../../server/platform/http/http-server.ts';
import { handleParentRequests } from './parent-requests.ts';

const PAGE = 10;

/** Fastify with its defaults: what it is sent is kept in a Map, checked by nothing and stored nowhere. */
handleParentRequests({
  async start({ path }: { path: string }): Promise<{ url: string }> {
    const kept = new Map<string, object>();
    const inOrder: object[] = [];
    const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS });
    app.post(path, (request) => {
      const id = `map_${kept.size + 1}`;
      const session = { id, ...(request.body as object) };
      kept.set(id, session);
      inOrder.push(session);
      return session;
    });
    app.get<{ Params: { id: string } }>(`${path}/:id`, (request, reply) => {
      return kept.get(request.params.id) ?? reply.code(404).send({});
    });
    app.get(path, () => ({ items: inOrder.slice(-PAGE).toReversed() }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` };
  },
});
