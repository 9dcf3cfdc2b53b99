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

export const RequestPresence = defineMessage({
  name: 'presence.request',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary:
    'Asks a terminal that its broker takes as offline whether it is online. It answers with `presence`: the last will of an earlier connection may have been published after it connected again.',
  body: Type.Object({}),
});
