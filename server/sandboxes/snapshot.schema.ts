import { Timestamp, Type, withDescription, type Static } from '../../protocol/schema.ts';
import { SandboxInput } from './sandbox.schema.ts';
import { SandboxName } from '../platform/http/text.schema.ts';

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

export const SnapshotReply = Type.Object(members, {
  title: 'Snapshot',
  description: 'A stored copy of a sandbox',
});
export type SnapshotReply = Static<typeof SnapshotReply>;

export const SnapshotList = Type.Object(
  { items: Type.Array(SnapshotReply, { description: 'Snapshots, oldest first' }) },
  { title: 'SnapshotList', description: 'The snapshots of a sandbox' },
);

export const DeletedSnapshot = Type.Object(
  { id: members.id, deleted: Type.Literal(true, { description: 'Always true' }) },
  { title: 'DeletedSnapshot', description: 'A snapshot that was deleted' },
);

export const SnapshotContent = Type.String({
  format: 'binary',
  description:
    'A snapshot. It holds the signing secrets of the webhooks: keep it as private as the data folder.',
});

const { name, seed, clock, webhooks, idempotencyKeys, strict } = SandboxInput.properties;

export const RestoreQuery = Type.Object({
  name,
  seed,
  clock,
  webhooks,
  idempotencyKeys,
  strict,
  expiresInSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description:
        'Number of seconds of real time without use after which the sandbox is deleted, 60 or more; 0 for never. Defaults to a day.',
    }),
  ),
});
export type RestoreQuery = Static<typeof RestoreQuery>;
