import { KeyScheme } from '../../../protocol/messages/card-data.schema.ts';
import { Type, withDescription } from '../../../protocol/schema.ts';
import { TerminalKeys } from '../../../protocol/terminal-keys.ts';

/** What a device presents to the broker. Shown once: the server keeps only what it takes to check it. */
const credentials = {
  clientId: Type.String({ description: 'MQTT client identifier' }),
  username: Type.String({ description: 'MQTT user name' }),
  password: Type.String({ description: 'MQTT password. It is returned only once.' }),
};
export const SimulatorCredentials = Type.Object(credentials, {
  title: 'BrokerCredentials',
  description: 'MQTT credentials. They are returned only once.',
});
export const TerminalCredentials = Type.Object(
  { ...credentials, keys: TerminalKeys },
  {
    title: 'TerminalCredentials',
    description: 'MQTT credentials and encryption keys of a terminal. They are returned only once.',
  },
);

export const PairingRequest = Type.Object(
  {
    keyScheme: Type.Optional(
      withDescription(
        KeyScheme,
        'Scheme of the keys that the terminal encrypts card data and PINs with. Defaults to `AES`.',
      ),
    ),
    unless: Type.Optional(
      Type.Enum(['Online', 'Busy'], {
        description:
          'Refuse to pair a terminal that is online (`Online`), or that is online with an action in progress (`Busy`), because pairing disconnects it. By default a terminal is paired in any state.',
      }),
    ),
  },
  { title: 'PairingRequest', description: 'Options of a pairing' },
);
