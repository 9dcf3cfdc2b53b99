import { Type } from '../../../protocol/schema.ts';

export const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'Always `ok`; a server that is not ready replies with 503' }),
    store: Type.Literal('ok', { description: 'Always `ok`: the database accepts queries' }),
    broker: Type.Literal('ok', { description: 'Always `ok`: the server is connected to the MQTT broker' }),
  },
  { title: 'Health', description: 'Health of the server' },
);
