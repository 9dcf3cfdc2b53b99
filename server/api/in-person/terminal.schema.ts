import {
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  Nullable,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { TEXT_FORMATS } from '../../../protocol/text-formats.ts';
import { Action } from './action.schema.ts';

const METADATA_MAX = 10; // Spec §2.1

const TerminalName = Type.String({ minLength: 1, maxLength: 50, description: 'Name of the terminal' });

/** A card terminal and its latest action: Spec §2.8. */
export const Terminal = Type.Object(
  {
    id: Id('terminal'),
    name: TerminalName,
    location: Type.Object({ id: Id('location') }, { description: 'Location where the terminal is used' }),
    device: Type.Object(
      {
        type: Type.String({ description: 'Model of the device, such as `A920Pro`' }),
        serialNumber: Type.String({ description: 'Serial number on the back of the device' }),
      },
      { description: 'Physical device' },
    ),
    action: Nullable(Action, 'Latest action of the terminal; null before the first'),
    metadata: Metadata(METADATA_MAX),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Terminal', description: 'A card terminal' },
);
export type Terminal = Static<typeof Terminal>;

export const TerminalCreate = Type.Object({
  serialNumber: Type.String({
    pattern: TEXT_FORMATS.serialNumber.pattern,
    description:
      'Serial number on the back of the device: 4 to 40 letters, digits and hyphens. A serial number that starts with `SIM` registers a simulated terminal.',
  }),
  locationId: Type.String({ description: 'Id of the location where the terminal is used' }),
  name: Type.Optional(TerminalName),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});

export const TerminalUpdate = Type.Object({
  name: Type.Optional(TerminalName),
  locationId: Type.Optional(Type.String({ description: 'Id of the location to which the terminal moves' })),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});
