import { LATEST_MS, PACES } from '../../protocol/clock.ts';
import { Timestamp, Type, withDescription, type Static } from '../../protocol/schema.ts';
import { SandboxName, SerialNumber } from '../platform/http/text.schema.ts';
import { Url } from '../platform/http/url.schema.ts';

const SECONDS_MAX = 31_536_000; // a year

const NAME =
  'Name of the sandbox: lower-case letters, digits and hyphens, at most 40. It is part of the addresses and of the MQTT topics of the sandbox.';
const Name = SandboxName(NAME, { pattern: '^[a-z0-9-]{1,40}$' });

const ExpiresInSeconds = Type.Union([Type.Integer({ minimum: 60, maximum: SECONDS_MAX }), Type.Null()], {
  examples: [3_600],
  description:
    'Number of seconds of real time without use after which the sandbox is deleted; null for never. Defaults to a day.',
});

const OnOff = (description: string) => Type.Enum(['on', 'off'], { description, examples: ['off'] });

const KEYS =
  'Whether the header `Idempotency-Key` works under /v1. The specification does not have it; off, it is ignored there.';
const STRICT =
  'Whether /v1 has nothing that the specification does not have. On also turns idempotency keys off.';
const PACE =
  'How fast simulated cardholders and devices act: `real` as people and devices do, `instant` without taking any time. Deadlines, delays of faults and a `delayMs` that a request gives keep their time.';
const PaceOf = (description: string) => Type.Enum([...PACES], { description, examples: ['instant'] });
const OF_SOURCE = ' Defaults to that of the server, in a copy to that of its source.';

export const SandboxInput = Type.Object({
  name: Type.Optional(withDescription(Name, `${NAME} Defaults to a name that is free.`)),
  from: Type.Optional(
    Type.String({
      examples: ['default'],
      description:
        'Name of a sandbox to fork, or id of a snapshot to restore: the new one begins with a copy of everything in it.',
    }),
  ),
  seed: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      examples: ['run-1'],
      description: 'Makes ids and random faults the same for the same seed.',
    }),
  ),
  clock: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LATEST_MS / 1000,
      examples: [1_767_225_600],
      description:
        'Time of the new sandbox: a Unix timestamp, in seconds. Not before anything in it was created or last changed. Defaults to real time, in a fork to the time of its source.',
    }),
  ),
  webhooks: Type.Optional(
    Type.Enum(['on', 'off'], {
      description:
        'Whether the webhook endpoints of the source stay active. `off` keeps them with their secrets, but inactive: events are sent to one again once it is updated with `active` true. Defaults to on.',
    }),
  ),
  expiresInSeconds: Type.Optional(ExpiresInSeconds),
  idempotencyKeys: Type.Optional(OnOff(KEYS + OF_SOURCE)),
  strict: Type.Optional(OnOff(STRICT + OF_SOURCE)),
  pace: Type.Optional(PaceOf(PACE + OF_SOURCE)),
});
export type SandboxInput = Static<typeof SandboxInput>;

export const SandboxUpdate = Type.Object({
  idempotencyKeys: Type.Optional(OnOff(KEYS)),
  strict: Type.Optional(OnOff(STRICT)),
  pace: Type.Optional(PaceOf(PACE)),
});
export type SandboxUpdate = Static<typeof SandboxUpdate>;

const nullableName = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: ['default'] });

const members = {
  name: Name,
  from: nullableName('Name of the sandbox that this one began as a copy of; null for none'),
  url: Url('sandbox', 'Address of the sandbox, for calls without a key'),
  createdTimestamp: withDescription(Timestamp, 'Real time at which the sandbox was created, in seconds'),
  expiresTimestamp: Type.Union([Timestamp, Type.Null()], {
    description:
      'Real time at which the sandbox is deleted unless it is used before, in seconds; null for never',
  }),
  idempotencyKeys: OnOff(KEYS),
  strict: OnOff(STRICT),
  pace: PaceOf(PACE),
};

export const SandboxReply = Type.Object(members, {
  title: 'Sandbox',
  description: 'A sandbox of the server',
});
export type SandboxReply = Static<typeof SandboxReply>;

export const SandboxList = Type.Object(
  { items: Type.Array(SandboxReply, { description: 'Sandboxes, in the order of their creation' }) },
  { title: 'SandboxList', description: 'The sandboxes of the server' },
);

export const CreatedSandbox = Type.Object(
  {
    ...members,
    secretKey: Type.String({ description: 'Secret API key of the sandbox. It is returned only once.' }),
    publicKey: Type.String({ description: 'Public API key of the sandbox. It is returned only once.' }),
    dashboardUrl: Url(
      'dashboard',
      'Link that opens the dashboard of the sandbox. It holds a token and is returned only once.',
    ),
    mqttTopic: Type.String({
      description: 'First levels of the MQTT topics of the sandbox',
      examples: ['tapbench/ci-1234'],
    }),
    accountId: Type.String({ description: 'Unique identifier of the account of the keys' }),
    subAccountId: Type.String({ description: 'Unique identifier of its first sub account' }),
    terminals: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Unique identifier of the terminal' }),
        serialNumber: SerialNumber('Serial number of the terminal'),
      }),
      { description: 'Simulated terminals of the sandbox' },
    ),
  },
  { title: 'CreatedSandbox', description: 'A new sandbox, with its keys' },
);
export type CreatedSandbox = Static<typeof CreatedSandbox>;

export const DashboardLink = Type.Object(
  {
    dashboardUrl: Url('dashboard', 'Link that opens the dashboard of the sandbox. It holds a token.'),
  },
  { title: 'DashboardLink', description: 'A link to the dashboard of a sandbox' },
);

export const DeletedSandbox = Type.Object(
  { name: Name, deleted: Type.Literal(true, { description: 'Always true' }) },
  { title: 'DeletedSandbox', description: 'A sandbox that was deleted' },
);
