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
    online: Type.Boolean({ description: 'Whether the terminal is connected' }),
    deviceType: Type.Optional(Type.String({ maxLength: 50, description: 'Model of the device' })),
    firmware: Type.Optional(Type.String({ maxLength: 50, description: 'Version of the firmware' })),
    reader: Type.Optional(Type.String({ maxLength: 50, description: 'Name of the card reader' })),
  }),
});
export type Presence = Static<typeof Presence.body>;
