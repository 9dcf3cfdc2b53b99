import { PACES } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type {
  CreatedSandbox,
  SandboxInput,
  SandboxReply,
  SandboxUpdate,
} from '../../server/sandboxes/sandbox.schema.ts';
import { CLIENT_OPTIONS, connectApi, type ServerApi, type ClientOptions } from '../client/api-client.ts';
import { command, optional, required, type ServerValues } from '../command-line/command.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';
import { SETTINGS } from '../command-line/config.ts';
import {
  booleanOption,
  enumOption,
  integerOption,
  stringOption,
  timestampOption,
  type Values,
} from '../command-line/option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';

const { url, secretKey, dataDir, json } = CLIENT_OPTIONS;
// With the key of the sandbox `default`, so without --sandbox.
export const HOST_OPTIONS = {
  url,
  secretKey,
  hostKey: { ...SETTINGS.hostKey, description: 'The key of the server for its sandboxes, where it has one' },
  dataDir,
  json,
};

type HostOptions = ClientOptions & { hostKey: string | undefined };

/** Returns the options with the key of the server for its sandboxes. */
export function hostClient(options: HostOptions): ClientOptions {
  return { ...options, secretKey: options.hostKey ?? options.secretKey };
}

export function connectHost(context: CommandContext, options: HostOptions): ServerApi {
  return connectApi(context, hostClient(options));
}

const ON_OFF = ['on', 'off'] as const;

const OWN_SETTINGS = {
  idempotencyKeys: enumOption(ON_OFF, {
    flag: '--idempotency-keys <on|off>',
    description: 'Whether the header Idempotency-Key, which the specification does not have, works under /v1',
  }),
  strict: enumOption(ON_OFF, {
    flag: '--strict <on|off>',
    description:
      'Whether /v1 has nothing that the specification does not have: no extensions, no idempotency keys',
  }),
  pace: enumOption(PACES, {
    flag: '--pace <real|instant>',
    description:
      'How fast simulated cardholders and devices act; instant takes no time but a delay that is asked for',
  }),
};

const OF_SOURCE = { defaultText: 'that of the server; of a copy, that of what it is a copy of' };

const NEW_OPTIONS = {
  ...HOST_OPTIONS,
  clock: timestampOption({
    flag: '--clock <time>',
    description:
      'Its time at the beginning: a Unix timestamp in seconds, or a time such as 2026-01-31T09:00:00Z',
    defaultText: 'real time; of a copy, the time of what it is a copy of',
  }),
  seed: stringOption({
    flag: '--seed <text>',
    description: 'Makes ids and random faults the same for the same seed',
  }),
  expires: integerOption(
    { min: 0, max: 31_536_000 },
    {
      flag: '--expires <seconds>',
      description: 'Seconds without use after which it is deleted, 60 or more; 0 for never',
      defaultText: 'a day',
    },
  ),
  idempotencyKeys: { ...OWN_SETTINGS.idempotencyKeys, ...OF_SOURCE },
  strict: { ...OWN_SETTINGS.strict, ...OF_SOURCE },
  pace: { ...OWN_SETTINGS.pace, ...OF_SOURCE },
};

/** The options of commands that make a copy. */
export const COPY_OPTIONS = {
  ...NEW_OPTIONS,
  noWebhooks: booleanOption('--no-webhooks', 'Make the webhooks of the copy inactive'),
};

export const sandboxList = command({
  name: 'sandbox',
  parameters: {},
  options: HOST_OPTIONS,
  examples: [{ line: 'tapbench sandbox', description: 'prints one line for each sandbox' }],
  async run({ context, options }) {
    const { items } = await connectHost(context, options).call('GET /sandboxes');
    if (options.json) return printJson(context.out, items);
    printTable(context.out, [
      ['NAME', 'FORK OF', 'EXPIRES', 'SETTINGS', 'ADDRESS'],
      ...items.map((item) => [item.name, item.from ?? '-', expiryOf(item), settingsText(item), item.url]),
    ]);
  },
});

export const sandboxCreate = command({
  name: 'sandbox create',
  details: 'Prints its keys, which are shown only here, and its simulated terminals.',
  parameters: { name: optional('lower-case letters, digits and hyphens; a free name unless given') },
  options: NEW_OPTIONS,
  examples: [
    { line: 'tapbench sandbox create ci-1234', description: 'creates a sandbox for a run of a pipeline' },
    { line: 'tapbench pay --sandbox ci-1234 1742', description: 'takes a payment in it' },
  ],
  async run({ context, args, options }) {
    await create(context, options, newSandbox(args.name, options));
  },
});

export const sandboxFork = command({
  name: 'sandbox fork',
  details: 'The fork begins with a copy of everything in the other, and has keys of its own.',
  parameters: {
    from: required('the sandbox to copy, such as default, or the id of a snapshot that the server keeps'),
    name: optional('name of the fork; a free name unless given'),
  },
  options: COPY_OPTIONS,
  examples: [
    { line: 'tapbench sandbox fork default try-1', description: 'tries something in a copy' },
    {
      line: 'tapbench sandbox fork default --no-webhooks --clock 2030-01-01',
      description: 'makes a copy that begins at that date and sends no webhooks',
    },
  ],
  async run({ context, args, options }) {
    await create(context, options, { ...newSandbox(args.name, options), from: args.from });
  },
});

export const sandboxUpdate = command({
  name: 'sandbox update',
  details:
    'The settings apply from the next request on. `default` has those with which the server was started.',
  parameters: { name: required('the sandbox to change') },
  options: { ...HOST_OPTIONS, ...OWN_SETTINGS },
  examples: [
    {
      line: 'tapbench sandbox update ci-1234 --strict on',
      description: 'turns extensions of the API off in it',
    },
  ],
  async run({ context, args, options }) {
    const body = settingsIn(options);
    if (Object.keys(body).length === 0)
      throw new Fault('bad_setting', 'nothing to change: give --idempotency-keys, --strict or --pace');
    const updated = await connectHost(context, options).call('PATCH /sandboxes/{name}', {
      params: { name: args.name },
      body,
    });
    if (options.json) printJson(context.out, updated);
    else printLine(context.out, `${args.name} updated: ${settingsText(updated)}`);
  },
});

export const sandboxDelete = command({
  name: 'sandbox delete',
  details: 'Everything in it is deleted, and its keys stop working.',
  parameters: { name: required('the sandbox to delete') },
  options: HOST_OPTIONS,
  examples: [{ line: 'tapbench sandbox delete ci-1234', description: 'deletes it' }],
  async run({ context, args, options }) {
    const params = { name: args.name };
    const deleted = await connectHost(context, options).call('DELETE /sandboxes/{name}', { params });
    if (options.json) printJson(context.out, deleted);
    else printLine(context.out, `${args.name} deleted`);
  },
});

async function create(
  context: CommandContext & { out: Sink },
  options: ServerValues<typeof NEW_OPTIONS>,
  input: SandboxInput,
): Promise<void> {
  const created = await connectHost(context, options).call('POST /sandboxes', { body: input });
  printCreated(context, options, created);
}

/**
 * Returns the parameters of a new sandbox.
 * @throws Fault `bad_setting` when it would expire too early
 */
export function newSandbox(
  name: string | undefined,
  options: Values<typeof NEW_OPTIONS> & { noWebhooks?: boolean },
): SandboxInput {
  const { seed, clock, expires, noWebhooks } = options;
  if (expires !== undefined && expires > 0 && expires < 60)
    throw new Fault('bad_setting', '--expires must be 0, or at least 60');
  return {
    ...(name !== undefined && { name }),
    ...(seed !== undefined && { seed }),
    ...(clock !== undefined && { clock }),
    ...(noWebhooks && { webhooks: 'off' }),
    ...settingsIn(options),
    ...(expires !== undefined && { expiresInSeconds: expires === 0 ? null : expires }),
  };
}

/** Prints a new sandbox with its keys. */
export function printCreated(
  { out }: { out: Sink },
  options: { json: boolean },
  created: CreatedSandbox,
): void {
  if (options.json) return printJson(out, created);
  const facts = [
    ['Sandbox', created.name],
    ['Dashboard', created.dashboardUrl],
    ['Secret key', created.secretKey],
    ['Public key', created.publicKey],
    ['MQTT topics', `${created.mqttTopic}/…`],
    ...created.terminals.map(({ id, serialNumber }) => ['Terminal', `${id}  ${serialNumber}`]),
  ];
  for (const [name, value] of facts) printLine(out, `  ${name!.padEnd(13)}${value}`);
}

function settingsIn({ idempotencyKeys, strict, pace }: Values<typeof OWN_SETTINGS>): SandboxUpdate {
  return { ...(idempotencyKeys && { idempotencyKeys }), ...(strict && { strict }), ...(pace && { pace }) };
}

/** Returns the settings of a sandbox in words. A server of an earlier version does not have them. */
function settingsText({ idempotencyKeys, strict, pace }: Partial<SandboxUpdate>): string {
  const api = strict === 'on' ? 'strict' : `idempotency keys ${idempotencyKeys ?? 'on'}`;
  return pace === 'instant' ? `${api}, instant` : api;
}

function expiryOf({ expiresTimestamp }: SandboxReply): string {
  return expiresTimestamp === null ? 'never' : new Date(expiresTimestamp * 1000).toISOString().slice(0, 16);
}
