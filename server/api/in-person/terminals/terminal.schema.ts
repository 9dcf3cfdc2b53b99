import { Id, Nullable, Type, type Static } from '../../../../protocol/schema.ts';
import { TEXT_FORMATS } from '../../../../protocol/text-formats.ts';
import {
  CREATED,
  CreateSchema,
  ObjectSchema,
  UPDATED,
  UpdateSchema,
  metadataProperty,
} from '../../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../../platform/store/stored-property.ts';
import { Action } from '../actions/action.schema.ts';
import { SerialNumber } from '../../../platform/http/text.schema.ts';

const METADATA_MAX = 10; // Spec §2.1

/** A card terminal and its latest action: Spec §2.8. */
export const TERMINAL = {
  serialNumber: {
    schema: SerialNumber(
      'Serial number on the back of the device: 4 to 40 letters, digits and hyphens. A serial number that starts with `SIM` registers a simulated terminal.',
      { pattern: TEXT_FORMATS.serialNumber.pattern },
    ),
    column: 'serial_number',
    create: 'required',
    reply: 'hidden',
    searched: true,
  },
  locationId: {
    schema: Type.String({ description: 'Id of the location where the terminal is used' }),
    column: 'location_id',
    create: 'required',
    update: Type.String({ description: 'Id of the location to which the terminal moves' }),
    reply: 'hidden',
  },
  name: {
    schema: Type.String({ minLength: 1, maxLength: 50, description: 'Name of the terminal' }),
    column: 'name',
    create: 'optional',
    update: 'set',
    always: true,
    searched: true,
  },
  location: {
    reply: Type.Object({ id: Id('location') }, { description: 'Location where the terminal is used' }),
  },
  device: {
    reply: Type.Object(
      {
        type: Type.String({ description: 'Model of the device, such as `A920Pro`' }),
        serialNumber: SerialNumber('Serial number on the back of the device'),
      },
      { description: 'Physical device' },
    ),
  },
  deviceType: { schema: Type.String(), column: 'device_type', always: true, reply: 'hidden' },
  lastActionId: { schema: Id('action'), column: 'last_action_id', reply: 'hidden' },
  action: { reply: Nullable(Action, 'Latest action of the terminal; null before the first') },
  /** The simulator that runs it; null for a real terminal, and for `tapbench up`, which runs serial numbers with SIM. */
  simulatedBy: { schema: Type.String(), column: 'simulated_by', reply: 'hidden' },
  pairingGeneration: {
    schema: Type.Integer(),
    column: 'pairing_generation',
    initial: 0,
    reply: 'hidden',
  },
  /** Scheme of the card data keys of its latest pairing; null for a pairing by an older version, without keys. */
  keyScheme: { schema: Type.Enum(['AES', 'TDES']), column: 'key_scheme', reply: 'hidden' },
  online: { schema: Type.Boolean(), column: 'online', initial: false, reply: 'hidden' },
  metadata: metadataProperty(METADATA_MAX),
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const Terminal = ObjectSchema('terminal', TERMINAL, {
  title: 'Terminal',
  description: 'A card terminal',
});
export type Terminal = Static<typeof Terminal>;

export const TerminalCreate = CreateSchema(TERMINAL);

export const TerminalUpdate = UpdateSchema(TERMINAL);
