import { Refusal } from './refusals.ts';
import { route, type Route } from './route.ts';
import { createStoreCheck } from '../store/store-watch.ts';
import type { Services } from '../services.ts';
import { Health } from './health.schema.ts';

/** Whether this server can do its work: that its store can be written to, and that it reaches its broker. */
export function healthRoutes({ store, gateway, realClock }: Services): Route[] {
  const problemOfStore = createStoreCheck(store, realClock);
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
        const storeProblem = await problemOfStore();
        const problems = [
          ...(storeProblem === undefined ? [] : [`the store cannot write (${storeProblem})`]),
          ...(gateway.online ? [] : ['the broker is not serving']),
        ];
        if (problems.length > 0) throw new Refusal('not_ready', { problems: problems.join(' and ') });
        return { status: 'ok', store: 'ok', broker: 'ok' } as const;
      },
    }),
  ];
}
