import { Type } from '../../protocol/schema.ts';
import { Refusal } from './refusals.ts';
import { route, type Route } from './route.ts';
import type { Services } from '../services.ts';

const Health = Type.Object(
  { status: Type.Literal('ok'), store: Type.Literal('ok'), broker: Type.Literal('ok') },
  { title: 'Health' },
);

/** Whether this server can do its work: for whoever starts it and waits. */
export function healthRoutes({ store, gateway }: Services): Route[] {
  return [
    route({
      operation: 'GET /healthz',
      surface: 'open',
      access: 'open',
      tag: 'Health',
      summary: 'Whether server, store and broker serve',
      section: 'Health',
      reply: Health,
      refusals: ['not_ready'],
      async handle() {
        const missing = [
          ...((await store.get('SELECT 1 AS one').catch(() => undefined)) ? [] : ['store']),
          ...(gateway.online ? [] : ['broker']),
        ];
        if (missing.length > 0) throw new Refusal('not_ready', { missing: missing.join(' and ') });
        return { status: 'ok', store: 'ok', broker: 'ok' } as const;
      },
    }),
  ];
}
