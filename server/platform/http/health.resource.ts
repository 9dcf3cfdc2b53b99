import { Type } from '../../../protocol/schema.ts';
import { Refusal } from './refusals.ts';
import { route, type Route } from './route.ts';

const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'Always `ok`; a server that is not ready replies with 503' }),
    store: Type.Literal('ok', { description: 'Always `ok`: the database accepts queries' }),
    broker: Type.Literal('ok', { description: 'Always `ok`: the server is connected to the MQTT broker' }),
  },
  { title: 'Health', description: 'Health of the server' },
);

/** Whether this server can do its work: that its store can be written to, and that it reaches its broker. */
const healthRoute = route({
  operation: 'GET /healthz',
  surface: 'open',
  access: 'open',
  tag: 'Health',
  summary: 'Check that the server, its database and its broker are available',
  section: 'Health',
  reply: Health,
  refusals: ['not_ready'],
  async handle({ services: { gateway, storeProblem } }) {
    const problem = await storeProblem();
    const problems = [
      ...(problem === undefined ? [] : [`the store cannot write (${problem})`]),
      // A fault takes the broker away from one sandbox only; a proxy must not leave out the server for all.
      ...(gateway.online || gateway.isKeptAway ? [] : ['the broker is not serving']),
    ];
    if (problems.length > 0) throw new Refusal('not_ready', { problems: problems.join(' and ') });
    return { status: 'ok', store: 'ok', broker: 'ok' } as const;
  },
});

export const healthRoutes: readonly Route[] = [healthRoute];
