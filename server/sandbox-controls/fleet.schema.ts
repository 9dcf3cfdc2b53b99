import { Id, Type } from '../../protocol/schema.ts';
import { SerialNumber } from '../platform/http/text.schema.ts';

const TERMINALS_MAX = 10_000;

export const FleetCreate = Type.Object({
  terminals: Type.Integer({
    minimum: 1,
    maximum: TERMINALS_MAX,
    description: 'Number of simulated terminals',
  }),
  locationId: Type.Optional(
    Type.String({ description: 'Id of the location of new terminals. By default a location is created.' }),
  ),
  namePrefix: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Prefix of the names of new terminals' }),
  ),
});

export const Fleet = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Id('terminal'),
        serialNumber: SerialNumber('Serial number of the terminal'),
      }),
      { description: 'Terminals of the fleet' },
    ),
  },
  { title: 'Fleet', description: 'Simulated terminals that were created or connected' },
);
