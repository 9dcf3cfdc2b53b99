import { KeyScheme } from '../../../protocol/messages/card-data.schema.ts';
import { Id, Type, textOf, withDescription, type Static } from '../../../protocol/schema.ts';
import { TerminalKeys } from '../../../protocol/terminal-keys.ts';

const Password = textOf('mQ7dX2kV9tB4nYw1');

/** Credentials of a device at the broker. Shown once: the server stores only what it needs to check them. */
const credentials = {
  clientId: Type.String({ description: 'MQTT client identifier' }),
  username: Type.String({ description: 'MQTT user name' }),
  password: Password('MQTT password. It is returned only once.'),
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

const options = {
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
};
export const PairingRequest = Type.Object(options, {
  title: 'PairingRequest',
  description: 'Options of a pairing',
});
export type PairingOptions = Static<typeof PairingRequest>;

/** So many that a request costs little of the pairings in it, and few enough that other requests wait little. */
const TERMINALS_MAX = 100;

export const FleetPairingRequest = Type.Object(
  {
    terminalIds: Type.Array(Id('terminal'), {
      minItems: 1,
      maxItems: TERMINALS_MAX,
      description: 'Terminals to pair',
    }),
    ...options,
  },
  { title: 'FleetPairingRequest', description: 'Terminals to pair, and options of their pairing' },
);
export const FleetCredentials = Type.Object(
  {
    items: Type.Array(TerminalCredentials, { description: 'Credentials, in the order of the request' }),
  },
  { title: 'FleetCredentials', description: 'Credentials and keys of several terminals' },
);

export const PairingCheckRequest = Type.Object(
  { password: Password('MQTT password of the terminal', { minLength: 1, maxLength: 200 }) },
  { title: 'PairingCheckRequest', description: 'The password to check' },
);
export const PairingCheck = Type.Object(
  { current: Type.Boolean({ description: 'Whether the password is that of the latest pairing' }) },
  { title: 'PairingCheck', description: 'Whether the credentials of a terminal are current' },
);
