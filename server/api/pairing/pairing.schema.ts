import { KeyScheme } from '../../../protocol/messages/action.messages.ts';
import { explained, Type } from '../../../protocol/schema.ts';
import { TerminalKeys } from '../../../protocol/terminal-keys.ts';

/** What a device presents to the broker. Shown once: the server keeps only what it takes to check it. */
const credentials = {
  clientId: Type.String({ description: 'The MQTT client identifier' }),
  username: Type.String(),
  password: Type.String(),
};
export const SimulatorCredentials = Type.Object(credentials, { title: 'BrokerCredentials' });
export const TerminalCredentials = Type.Object(
  { ...credentials, keys: TerminalKeys },
  { title: 'TerminalCredentials' },
);

export const PairingRequest = Type.Object(
  {
    keyScheme: Type.Optional(
      explained(
        KeyScheme,
        'Which keys the terminal gets for card data and PINs; AES unless it asks for TDES',
      ),
    ),
    unless: Type.Optional(
      Type.Enum(['Online', 'Busy'], {
        description:
          'Refuse to pair a terminal that is online, or that is online with an action in progress, since pairing disconnects it; without this member it is paired in any state',
      }),
    ),
  },
  { title: 'PairingRequest' },
);
