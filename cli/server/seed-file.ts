import { readFileSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { WebhookCreate } from '../../server/api/webhooks/webhook.schema.ts';
import { LocationCreate } from '../../server/api/in-person/terminals/location.schema.ts';
import { TerminalCreate } from '../../server/api/in-person/terminals/terminal.schema.ts';

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
export function seedFault(path: string, place: string, message: string): Fault {
  return new Fault('bad_setting', `--seed ${path}: ${place === '' ? 'the whole file' : place} ${message}`);
}
