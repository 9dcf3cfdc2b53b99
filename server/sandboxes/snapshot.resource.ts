import { Timestamp, Type, withDescription, type Static } from '../../protocol/schema.ts';
import { SandboxName } from '../platform/http/text.schema.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { ReplyFile } from '../platform/http/pages/reply-file.ts';
import { routeFor, type Route } from '../platform/http/route.ts';
import { SandboxInput, CreatedSandbox } from './sandbox.schema.ts';
import { sandboxesOf, toCreated } from './sandbox.resource.ts';
import { SNAPSHOT_TYPE } from './snapshots/snapshot-format.schema.ts';
import type { StoredSnapshot } from './snapshots/snapshot-storage.ts';
import type { HostServices } from './sandbox-service.ts';

const members = {
  id: Type.String({
    examples: ['snap_8f14e45f-ceea-467f-a2a4-4f6f0c1d2b3a'],
    description: 'Unique identifier of the snapshot',
  }),
  sandbox: SandboxName('Name of the sandbox that it is of'),
  createdTimestamp: withDescription(Timestamp, 'Real time at which it was made, in seconds'),
  clockTimestamp: withDescription(
    Timestamp,
    'Time of the sandbox when it was made: a Unix timestamp, in seconds',
  ),
  bytes: Type.Integer({ description: 'Size of its file, in bytes' }),
};

const SnapshotReply = Type.Object(members, {
  title: 'Snapshot',
  description: 'A stored copy of a sandbox',
});
type SnapshotReply = Static<typeof SnapshotReply>;

const SnapshotList = Type.Object(
  { items: Type.Array(SnapshotReply, { description: 'Snapshots, oldest first' }) },
  { title: 'SnapshotList', description: 'The snapshots of a sandbox' },
);

const DeletedSnapshot = Type.Object(
  { id: members.id, deleted: Type.Literal(true, { description: 'Always true' }) },
  { title: 'DeletedSnapshot', description: 'A snapshot that was deleted' },
);

const SnapshotContent = Type.String({
  format: 'binary',
  description:
    'A snapshot. It holds the signing secrets of the webhooks: keep it as private as the data folder.',
});

const ASKED = SandboxInput.properties;

const RestoreQuery = Type.Object({
  name: ASKED.name,
  seed: ASKED.seed,
  clock: ASKED.clock,
  webhooks: ASKED.webhooks,
  idempotencyKeys: ASKED.idempotencyKeys,
  strict: ASKED.strict,
  pace: ASKED.pace,
  expiresInSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description:
        'Number of seconds of real time without use after which the sandbox is deleted, 60 or more; 0 for never. Defaults to a day.',
    }),
  ),
});
type RestoreQuery = Static<typeof RestoreQuery>;

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
