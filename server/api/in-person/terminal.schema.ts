import { Id, Metadata, Nullable, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { Action } from './action.schema.ts';

const METADATA_MAX = 10; // Spec §2.1

const TerminalName = Type.String({ minLength: 1, maxLength: 50 });

/** A card terminal and its latest action: Spec §2.8. */
export const Terminal = Type.Object(
  {
    id: Id('terminal'),
    name: TerminalName,
    location: Type.Object({ id: Id('location') }),
    device: Type.Object({ type: Type.String(), serialNumber: Type.String() }),
    action: Nullable(Action),
    metadata: Metadata(METADATA_MAX),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Terminal' },
);
export type Terminal = Static<typeof Terminal>;

export const TerminalCreate = Type.Object({
  serialNumber: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9-]{3,39}$',
    description: '4 to 40 letters, digits and hyphens; one that begins with SIM is simulated',
  }),
  locationId: Type.String(),
  name: Type.Optional(TerminalName),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});

export const TerminalUpdate = Type.Object({
  name: Type.Optional(TerminalName),
  locationId: Type.Optional(Type.String()),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});
