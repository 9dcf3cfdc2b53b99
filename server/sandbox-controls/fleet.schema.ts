import { Id, Type } from '../../protocol/schema.ts';

const TERMINALS_MAX = 10_000;

export const FleetCreate = Type.Object({
  terminals: Type.Integer({ minimum: 1, maximum: TERMINALS_MAX }),
  locationId: Type.Optional(
    Type.String({ description: 'Where new terminals stand; one is made when absent' }),
  ),
  namePrefix: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
});

export const Fleet = Type.Object(
  { items: Type.Array(Type.Object({ id: Id('terminal'), serialNumber: Type.String() })) },
  { title: 'Fleet' },
);
