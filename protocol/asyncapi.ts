import { ClockBody, encodeClock, type DeclaredMessage } from './message.ts';
import { ALL_MESSAGES } from './messages.ts';
import { Presence } from './messages/presence.messages.ts';
import type { TSchema } from './schema.ts';
import { CLOCK_TOPIC, topicOf } from './topics.ts';

type Json = Record<string, unknown>;

/** A message with its topic, and whether the terminal sends or receives it. */
interface Row {
  name: string;
  address: string;
  action: 'send' | 'receive';
  tag: string;
  summary: string;
  qos: 0 | 1;
  retain: boolean;
  body: TSchema;
}

// Version of the MQTT bindings (AsyncAPI bindings repository, mqtt).
const MQTT_BINDING = '0.2.0';

/**
 * Returns the AsyncAPI 3.0 document of the protocol from the terminal's side: it receives commands and sends reports.
 * Generated from the message declarations; docs/asyncapi.json is this value.
 */
export function asyncApiDocument(version: string): Json {
  const rows = [clockRow(), ...ALL_MESSAGES.map(rowOf)];
  const each = (entry: (row: Row) => [string, Json]) => Object.fromEntries(rows.map(entry));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tapbench terminal protocol',
      version,
      description:
        'Messages between card terminals, or their simulators, and the Tapbench server over MQTT 3.1.1. ' +
        'docs/protocol.md describes how they are used.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: servers(),
    channels: each((row) => [row.name, channelOf(row)]),
    operations: each((row) => [`${row.action}.${row.name}`, operationOf(row)]),
    components: {
      messages: each((row) => [row.name, messageOf(row)]),
      securitySchemes: {
        paired: {
          type: 'userPassword',
          description:
            'A terminal: its id and the password from POST /pairing/terminals/{id}. ' +
            'A simulator: the credentials from POST /pairing/simulators.',
        },
      },
    },
  };
}

function servers(): Json {
  const security = [{ $ref: '#/components/securitySchemes/paired' }];
  const will = topicOf({
    audience: 'terminals',
    terminalId: '{terminalId}',
    channel: 'reports',
    message: Presence.name,
  });
  const bindings = {
    mqtt: {
      clientId: '{terminalId}',
      cleanSession: true,
      lastWill: { topic: will, qos: Presence.qos, retain: Presence.retain, message: '{"online":false}' },
      bindingVersion: MQTT_BINDING,
    },
  };
  const common = { protocolVersion: '3.1.1', security, bindings };
  return {
    mqtt: { host: '127.0.0.1:1883', protocol: 'mqtt', description: 'The embedded broker', ...common },
    webSocket: {
      host: '127.0.0.1:8080',
      pathname: '/mqtt',
      protocol: 'ws',
      description: 'MQTT over WebSocket on the HTTP port, subprotocol mqtt',
      ...common,
    },
  };
}

function rowOf({ name, audience, channel, summary, qos, retain, body }: DeclaredMessage): Row {
  const address = topicOf({ audience, terminalId: '{terminalId}', channel, message: name });
  const action = channel === 'commands' ? 'receive' : 'send';
  return { name, address, action, tag: audience, summary, qos, retain, body };
}

function clockRow(): Row {
  const { qos, retain } = encodeClock({ offsetMs: 0 });
  const summary =
    'Sandbox time: real time plus this many milliseconds. Sent at each start and whenever the clock is advanced.';
  return {
    name: 'clock',
    address: CLOCK_TOPIC,
    action: 'receive',
    tag: 'everybody',
    summary,
    qos,
    retain,
    body: ClockBody,
  };
}

function channelOf({ name, address }: Row): Json {
  const parameters = {
    terminalId: { description: 'Id of the terminal', examples: ['tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA'] },
  };
  return {
    address,
    ...(address.includes('{terminalId}') && { parameters }),
    messages: { [name]: { $ref: `#/components/messages/${name}` } },
  };
}

function operationOf({ name, action, tag, summary, qos, retain }: Row): Json {
  return {
    action,
    channel: { $ref: `#/channels/${name}` },
    summary,
    tags: [{ name: tag }],
    bindings: { mqtt: { qos, retain, bindingVersion: MQTT_BINDING } },
    messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
  };
}

function messageOf({ name, summary, body }: Row): Json {
  return { name, summary, payload: body };
}

/** Returns the document as JSON text, as in docs/asyncapi.json. */
export function asyncApiText(version: string): string {
  return `${JSON.stringify(asyncApiDocument(version), null, 2)}\n`;
}
