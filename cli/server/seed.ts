import { readFileSync } from 'node:fs';
import type { Input } from '../../protocol/api-client.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { WebhookCreate, type WebhookCreated } from '../../server/api/webhooks/webhook.schema.ts';
import { LocationCreate } from '../../server/api/in-person/terminals/location.schema.ts';
import { TerminalCreate } from '../../server/api/in-person/terminals/terminal.schema.ts';
import { checkedByServer, type ServerApi } from '../client/api-client.ts';

const strict = { additionalProperties: false };

const OfAccount = {
  account: Type.Optional(Type.String({ description: 'Name of an account; the platform by default' })),
};

const { locationId: _, ...terminalMembers } = TerminalCreate.properties;

/** Objects to create at start. Version 1 of the format; fields are those of the API calls that create them. */
export const Seed = Type.Object(
  {
    version: Type.Literal(1),
    accounts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 50 }),
            settings: Type.Optional(
              Type.Record(Type.String(), Type.Unknown(), {
                description: 'As in PATCH /sandbox/accounts/{id}/settings',
              }),
            ),
          },
          strict,
        ),
      ),
    ),
    locations: Type.Optional(Type.Array(Type.Object({ ...OfAccount, ...LocationCreate.properties }, strict))),
    terminals: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...OfAccount,
            ...terminalMembers,
            location: Type.String({ description: 'Name of a location of the same account' }),
          },
          strict,
        ),
      ),
    ),
    webhooks: Type.Optional(
      Type.Array(
        Type.Object(
          {
            url: WebhookCreate.properties.url,
            active: Type.Optional(WebhookCreate.properties.active),
            eventTypes: Type.Optional(WebhookCreate.properties.eventTypes),
          },
          strict,
        ),
      ),
    ),
  },
  strict,
);
export type Seed = Static<typeof Seed>;

const checkSeed = checker(Seed);

/** All event types, for a webhook that lists none. */
export const ALL_EVENTS: readonly string[] = EVENT_TYPE_NAMES;

/**
 * Reads a seed file.
 * @throws Fault `bad_setting`, naming the file and the field.
 */
export function readSeedFile(path: string): Seed {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Fault('bad_setting', `--seed ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  let seed: unknown;
  try {
    seed = parseOutsideJson(text);
  } catch (error) {
    throw new Fault('bad_setting', `--seed ${path} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  const problem = checkSeed(seed)[0];
  if (problem) throw seedFault(path, problem.path, problem.message);
  return seed as Seed;
}

/** Creates the Fault for a field of a seed file. @param place dotted path, such as `terminals.0.location` */
function seedFault(path: string, place: string, message: string): Fault {
  return new Fault('bad_setting', `--seed ${path}: ${place === '' ? 'the whole file' : place} ${message}`);
}

interface SeedParts {
  /** Returns a client that acts as an account; as the platform without an id. */
  api(accountId?: string): ServerApi;
  /** Creates a sub account; the API has no call that sets its name. */
  addAccount(name: string): Promise<string>;
}

type EventTypes = Input<'POST /v1/webhooks'>['body']['eventTypes'];

/** A webhook that was created; its secret is shown only once. */
export type SeededWebhook = Pick<WebhookCreated, 'id' | 'url' | 'secret'>;

interface SeedRun {
  parts: SeedParts;
  seed: Seed;
  path: string;
  /** Ids of the accounts by name. */
  accounts: Map<string, string>;
}

/**
 * Creates the objects of a seed file through the API. Objects that exist already, by name, serial number or URL, are
 * left unchanged, so applying it again adds nothing. Returns the webhooks that were created.
 * @throws Fault `bad_setting`, naming the field of the file that the API refused.
 */
export async function applySeed(parts: SeedParts, seed: Seed, path: string): Promise<SeededWebhook[]> {
  const seeding: SeedRun = { parts, seed, path, accounts: new Map() };
  await seedAccounts(seeding);
  await seedLocations(seeding);
  await seedTerminals(seeding);
  return seedWebhooks(seeding);
}

async function seedAccounts({ parts, seed, path, accounts }: SeedRun): Promise<void> {
  const api = parts.api();
  const known = await api.call('GET /sandbox/accounts');
  for (const { id, name } of known.items) accounts.set(name, id);
  for (const [at, { name, settings }] of (seed.accounts ?? []).entries()) {
    const id = accounts.get(name) ?? (await parts.addAccount(name));
    accounts.set(name, id);
    if (settings === undefined) continue;
    await withSeedPath(path, `accounts.${at}.settings`, () =>
      api.call('PATCH /sandbox/accounts/{id}/settings', { params: { id }, body: settings }),
    );
  }
}

async function seedLocations(seeding: SeedRun): Promise<void> {
  const { seed, path } = seeding;
  const known = lookup((api) => api.list('GET /v1/in-person/locations'), seeding);
  for (const [at, { account, ...location }] of (seed.locations ?? []).entries()) {
    const place = `locations.${at}`;
    const { api, items } = await known(account, `${place}.account`);
    if (items.some(({ name }) => name === location.name)) continue;
    items.push(
      await withSeedPath(path, place, () => api.call('POST /v1/in-person/locations', { body: location })),
    );
  }
}

async function seedTerminals(seeding: SeedRun): Promise<void> {
  const { seed, path, parts } = seeding;
  if (!seed.terminals?.length) return;
  const all = await parts.api().call('GET /sandbox/terminals');
  const serials = new Set(all.items.map(({ serialNumber }) => serialNumber));
  const locations = lookup((api) => api.list('GET /v1/in-person/locations'), seeding);
  for (const [at, { account, location, ...terminal }] of seed.terminals.entries()) {
    const place = `terminals.${at}`;
    const { api, items } = await locations(account, `${place}.account`);
    const standing = items.find(({ name }) => name === location);
    if (!standing)
      throw seedFault(path, `${place}.location`, `'${location}' is not a location of this account`);
    if (serials.has(terminal.serialNumber)) continue;
    const body = { ...terminal, locationId: standing.id };
    await withSeedPath(path, place, () => api.call('POST /v1/in-person/terminals', { body }));
    serials.add(terminal.serialNumber);
  }
}

async function seedWebhooks({ parts, seed, path }: SeedRun): Promise<SeededWebhook[]> {
  if (!seed.webhooks?.length) return [];
  const api = parts.api();
  const known = await api.call('GET /v1/webhooks');
  const urls = new Set(known.items.map(({ url }) => url));
  const made: SeededWebhook[] = [];
  for (const [at, webhook] of seed.webhooks.entries()) {
    if (urls.has(webhook.url)) continue;
    const eventTypes = checkedByServer<EventTypes>(webhook.eventTypes ?? ALL_EVENTS);
    const body = { active: true, ...webhook, eventTypes };
    const { id, url, secret } = await withSeedPath(path, `webhooks.${at}`, () =>
      api.call('POST /v1/webhooks', { body }),
    );
    urls.add(webhook.url);
    made.push({ id, url, secret });
  }
  return made;
}

/** Returns a function that fetches a list once for each account. */
function lookup<Item>(list: (api: ServerApi) => Promise<Item[]>, { parts, path, accounts }: SeedRun) {
  const known = new Map<string | undefined, { api: ServerApi; items: Item[] }>();
  return async (account: string | undefined, place: string) => {
    const id = account === undefined ? undefined : accounts.get(account);
    if (account !== undefined && id === undefined)
      throw seedFault(path, place, `'${account}' is not an account`);
    const api = parts.api(id);
    const found = known.get(id) ?? { api, items: await list(api) };
    known.set(id, found);
    return found;
  };
}

/** Adds the path in the seed file to a refusal of the API. */
async function withSeedPath<T>(path: string, place: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Fault) throw seedFault(path, place, `was refused: ${error.message}`);
    throw error;
  }
}
