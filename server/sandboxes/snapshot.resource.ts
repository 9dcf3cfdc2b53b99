import { Refusal } from '../platform/http/refusals.ts';
import { ReplyFile } from '../platform/http/pages/reply-file.ts';
import { routeFor, type Route } from '../platform/http/route.ts';
import { CreatedSandbox, type SandboxInput } from './sandbox.schema.ts';
import { sandboxesOf, toCreated } from './sandbox.resource.ts';
import { SNAPSHOT_TYPE } from './snapshots/snapshot-format.schema.ts';
import type { StoredSnapshot } from './snapshots/snapshot-storage.ts';
import {
  DeletedSnapshot,
  RestoreQuery,
  SnapshotContent,
  SnapshotList,
  SnapshotReply,
} from './snapshot.schema.ts';
import type { HostServices } from './sandbox-service.ts';

const route = routeFor<HostServices>();

// A snapshot has the secrets of webhooks, so the dashboard's token is not enough.
const common = { surface: 'sandbox', tag: 'Sandbox', section: 'Sandboxes', access: 'host' } as const;
const shared = { ...common, refusals: ['no_sandboxes', 'not_the_default_key'] } as const;

const createRoute = route({
  ...common,
  operation: 'POST /sandboxes/{name}/snapshots',
  summary: 'Make a snapshot of a sandbox: a file with everything in it, at one moment between two changes',
  reply: SnapshotReply,
  refusals: [...shared.refusals, 'too_many_snapshots', 'snapshot_too_large'],
  find: async ({ services, params }) => sandboxesOf(services).find(params.name),
  worksOutside: true,
  handle: async ({ services, found: { name }, digests }) =>
    toSnapshot(await sandboxesOf(services).snapshots.create(name, digests)),
});

const listRoute = route({
  ...shared,
  operation: 'GET /sandboxes/{name}/snapshots',
  summary: 'List the snapshots of a sandbox',
  reply: SnapshotList,
  find: async ({ services, params }) => sandboxesOf(services).find(params.name),
  async handle({ services, found: { name } }) {
    return { items: (await sandboxesOf(services).snapshots.list(name)).map(toSnapshot) };
  },
});

const getRoute = route({
  ...shared,
  operation: 'GET /sandboxes/{name}/snapshots/{id}',
  summary: 'Download a snapshot',
  replyType: SNAPSHOT_TYPE,
  reply: SnapshotContent,
  find: async ({ services, params: { name, id } }) => sandboxesOf(services).snapshots.find(name, id),
  async handle({ services, found }) {
    const { bytes, sandbox } = found;
    const name = `${sandbox}.tapbench-snapshot`;
    return new ReplyFile(sandboxesOf(services).snapshots.open(found), { type: SNAPSHOT_TYPE, bytes, name });
  },
});

const deleteRoute = route({
  ...shared,
  operation: 'DELETE /sandboxes/{name}/snapshots/{id}',
  summary: 'Delete a snapshot',
  reply: DeletedSnapshot,
  find: async ({ services, params: { name, id } }) => sandboxesOf(services).snapshots.find(name, id),
  async handle({ services, found }) {
    await sandboxesOf(services).snapshots.remove(found);
    return { id: found.id, deleted: true as const };
  },
});

const restoreRoute = route({
  ...common,
  operation: 'POST /sandboxes/restore',
  summary:
    'Create a sandbox from the file of a snapshot: the same objects, ids and time, new keys. The reply has its keys.',
  query: RestoreQuery,
  bodyType: SNAPSHOT_TYPE,
  body: SnapshotContent,
  reply: CreatedSandbox,
  refusals: [
    ...shared.refusals,
    'sandbox_exists',
    'too_many_sandboxes',
    'not_a_snapshot',
    'snapshot_newer',
    'snapshot_damaged',
    'snapshot_too_large',
  ],
  handle: async ({ services, query, content }) =>
    toCreated(await sandboxesOf(services).restore(content, inputOf(query))),
});

/** A query has no null: 0 is never. */
function inputOf({ expiresInSeconds, ...rest }: RestoreQuery): SandboxInput {
  if (expiresInSeconds === undefined) return rest;
  if (expiresInSeconds > 0 && expiresInSeconds < 60)
    throw new Refusal('invalid_field', { field: 'expiresInSeconds', problem: 'must be 0, or at least 60' });
  return { ...rest, expiresInSeconds: expiresInSeconds === 0 ? null : expiresInSeconds };
}

function toSnapshot({ id, sandbox, createdMs, clockMs, bytes }: StoredSnapshot): SnapshotReply {
  const createdTimestamp = Math.floor(createdMs / 1000);
  return { id, sandbox, createdTimestamp, clockTimestamp: Math.floor(clockMs / 1000), bytes };
}

/** The routes that save and restore sandboxes. */
export const snapshotRoutes: readonly Route[] = [createRoute, listRoute, getRoute, deleteRoute, restoreRoute];
