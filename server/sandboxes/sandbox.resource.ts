import { DEFAULT_SANDBOX, topicIn } from '../../protocol/topics.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { routeFor, type Route } from '../platform/http/route.ts';
import { ownSettingsIn } from '../platform/own-settings.schema.ts';
import {
  CreatedSandbox,
  DashboardLink,
  DeletedSandbox,
  SandboxInput,
  SandboxList,
  SandboxReply,
  SandboxUpdate,
} from './sandbox.schema.ts';
import type { HostServices, NewSandbox, Sandboxes } from './sandbox-service.ts';

const route = routeFor<HostServices>();

/** What the routes of sandboxes have in common. */
const common = {
  surface: 'sandbox',
  tag: 'Sandbox',
  section: 'Sandboxes',
  access: 'hostDashboard',
} as const;

/** Returns the sandboxes of the server. @throws Refusal for the key of another sandbox, and where no sandboxes can be kept */
export function sandboxesOf({ sandboxes, settings: { sandbox = DEFAULT_SANDBOX } }: HostServices): Sandboxes {
  if (sandboxes) return sandboxes;
  throw new Refusal(sandbox === DEFAULT_SANDBOX ? 'no_sandboxes' : 'not_the_default_key');
}

const createRoute = route({
  ...common,
  operation: 'POST /sandboxes',
  summary:
    'Create a sandbox: objects, keys, clock and terminals of its own, empty or as a fork of another. The reply has its keys.',
  body: SandboxInput,
  // Null is never, not the default.
  reply: CreatedSandbox,
  refusals: ['no_sandboxes', 'not_the_default_key', 'sandbox_exists', 'too_many_sandboxes', 'not_found'],
  worksOutside: true,
  handle: async ({ services, body, digests }) => toCreated(await sandboxesOf(services).create(body, digests)),
});

const listRoute = route({
  ...common,
  operation: 'GET /sandboxes',
  summary: 'List the sandboxes of the server',
  reply: SandboxList,
  refusals: ['no_sandboxes', 'not_the_default_key'],
  handle: async ({ services }) => ({ items: await sandboxesOf(services).list() }),
});

const getRoute = route({
  ...common,
  operation: 'GET /sandboxes/{name}',
  summary: 'Retrieve a sandbox',
  reply: SandboxReply,
  refusals: ['no_sandboxes', 'not_the_default_key'],
  find: async ({ services, params }) => sandboxesOf(services).find(params.name),
  handle: async ({ found }) => found,
});

const updateRoute = route({
  ...common,
  operation: 'PATCH /sandboxes/{name}',
  summary: 'Change the settings of a sandbox, from now on',
  body: SandboxUpdate,
  reply: SandboxReply,
  refusals: ['no_sandboxes', 'not_the_default_key', 'default_settings', 'sandbox_is_recorded'],
  find: async ({ services, params }) => sandboxesOf(services).find(params.name),
  handle({ services, body, found: { name } }) {
    if (Object.keys(ownSettingsIn(body)).length === 0)
      throw new Refusal('invalid_field', {
        field: 'idempotencyKeys',
        problem: 'or `strict` or `pace` is required',
      });
    return sandboxesOf(services).update(name, body);
  },
});

const dashboardLinkRoute = route({
  ...common,
  operation: 'POST /sandboxes/{name}/dashboard-link',
  summary: 'Create a link to the dashboard of a sandbox',
  reply: DashboardLink,
  refusals: ['no_sandboxes', 'not_the_default_key'],
  find: async ({ services, params }) => sandboxesOf(services).find(params.name),
  handle: async ({ services, found }) => ({
    dashboardUrl: dashboardUrlOf(found, sandboxesOf(services).dashboardTokenOf(found.name)),
  }),
});

const deleteRoute = route({
  ...common,
  operation: 'DELETE /sandboxes/{name}',
  summary: 'Delete a sandbox with everything in it. Its keys stop working.',
  reply: DeletedSandbox,
  refusals: ['no_sandboxes', 'not_the_default_key', 'default_sandbox'],
  find: async ({ services, params }) => sandboxesOf(services).find(params.name),
  async handle({ services, found: { name } }) {
    await sandboxesOf(services).remove(name);
    return { name, deleted: true as const };
  },
});

/** Returns the reply that has the keys of a new sandbox. */
export function toCreated({ reply, keys, objects }: NewSandbox): CreatedSandbox {
  const { platformId, subAccountId, terminals } = objects;
  return {
    ...reply,
    secretKey: keys.secretKey,
    publicKey: keys.publicKey,
    dashboardUrl: dashboardUrlOf(reply, keys.dashboardToken),
    mqttTopic: topicIn(reply.name, 'tapbench/').slice(0, -1),
    accountId: platformId,
    subAccountId,
    terminals: terminals.map(({ id, serialNumber }) => ({ id, serialNumber })),
  };
}

function dashboardUrlOf({ url }: SandboxReply, token: string): string {
  return `${url}/#token=${token}`;
}

/** The routes that make, list and delete sandboxes. */
export const sandboxesRoutes: readonly Route[] = [
  createRoute,
  listRoute,
  getRoute,
  updateRoute,
  dashboardLinkRoute,
  deleteRoute,
];
