import { defineMessage } from '../message.ts';
import { Type, type Static } from '../schema.ts';

export const Presence = defineMessage({
  name: 'presence',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: true,
  summary: 'Whether the terminal is online. Retained; the last will sets it to offline.',
  body: Type.Object({
    online: Type.Boolean(),
    deviceType: Type.Optional(Type.String({ maxLength: 50 })),
    firmware: Type.Optional(Type.String({ maxLength: 50 })),
    reader: Type.Optional(Type.String({ maxLength: 50 })),
  }),
});
export type Presence = Static<typeof Presence.body>;
