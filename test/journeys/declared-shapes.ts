import { expect } from 'vitest';
import { checker, Type, type TSchema } from '../../protocol/schema.ts';
import { Account } from '../../server/api/accounts/account.schema.ts';
import { Person } from '../../server/api/accounts/person.schema.ts';
import { Customer } from '../../server/api/customers/customer.schema.ts';
import { Dispute } from '../../server/api/disputes/dispute.schema.ts';
import { Event } from '../../server/api/webhooks/event.schema.ts';
import { Terminal } from '../../server/api/in-person/terminals/terminal.schema.ts';
import { Conversion } from '../../server/api/ledger/conversion.schema.ts';
import { PlatformFee } from '../../server/api/ledger/platform-fee.schema.ts';
import { Transfer } from '../../server/api/ledger/transfer.schema.ts';
import { SessionEventData } from '../../server/api/payments/payment-session.schema.ts';
import { PayoutMethod } from '../../server/api/accounts/payout-method.schema.ts';
import { Payout } from '../../server/api/payouts/payout.schema.ts';
import { SubscriptionEventData } from '../../server/api/subscriptions/subscription.schema.ts';
import type { Route } from '../../server/platform/http/route.ts';
import { URL_KINDS } from '../../server/platform/http/url.schema.ts';
import { ROUTES } from '../../server/routes.ts';
import { shownOf } from './reply-values.ts';
import type { Answer, Api } from '../../testing/world/api.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** The routes of the API itself, as the server declares them. */
export const ROUTES_UNDER_V1: readonly Route[] = ROUTES.filter(({ surface }) => surface === 'v1');

/** What is held against its declaration, and by whom it was asked. */
interface Checking {
  routes: readonly Route[];
  /** Operations that succeeded, whose replies were as declared. */
  succeeded: Set<string>;
  /** What of all that may be in an answer was in one. */
  shown: Set<string>;
}

/** The API as before, but each answer is held against its declaration. */
export function checked(bare: Api, checking: Checking): Api {
  return watched(bare, (method, path, answer) => {
    if (path.startsWith('/v1/')) checkAnswer(checking, method, path, answer);
  });
}

/** The API as before, but somebody looks at each answer; paths are without their queries. */
export function watched(bare: Api, look: (method: string, path: string, answer: Answer) => void): Api {
  const check = async (method: string, path: string, asked: Promise<Answer>) => {
    const answer = await asked;
    look(method, path.split('?')[0]!, answer);
    return answer;
  };
  return {
    get: (path) => check('GET', path, bare.get(path)),
    post: (path, body) => check('POST', path, bare.post(path, body)),
    patch: (path, body) => check('PATCH', path, bare.patch(path, body)),
    delete: (path, body) => check('DELETE', path, bare.delete(path, body)),
    raw: (method, path, body, headers) => check(method, path, bare.raw(method, path, body, headers)),
    as: (accountId) => watched(bare.as(accountId), look),
    withKey: (key) => watched(bare.withKey(key), look),
    get open() {
      return bare.open;
    },
  };
}

const REFUSAL = Type.Object({
  requestId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  code: Type.String({ pattern: '^[45][0-9]{2}$' }),
  errors: Type.Array(
    Type.Object({ code: Type.String({ pattern: '^[a-z_]+$' }), message: Type.String({ minLength: 5 }) }),
    { minItems: 1 },
  ),
});

function checkAnswer(
  { routes, succeeded, shown }: Checking,
  method: string,
  path: string,
  { status, headers, body }: Answer,
): void {
  const route = routeOf(routes, method, path)!;
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  if (status !== route.status) {
    expect([path, misfits(REFUSAL, body)]).toEqual([path, []]);
    expect(body.code).toBe(String(status));
    return;
  }
  expect([path, misfits(route.reply, body)]).toEqual([path, []]);
  expect([path, foreignUrls(route.reply, body, '')]).toEqual([path, []]);
  succeeded.add(route.operation);
  shownOf(route.reply, body, route.operation, shown);
}

export function routeOf(routes: readonly Route[], method: string, path: string): Route | undefined {
  const known = routes.filter((route) => route.method === method && matches(route.path, path));
  // A path without parameters goes first, as in the server.
  return known.find((route) => route.path === path) ?? known[0];
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** Where a value is not as declared, and where it has a member that nobody declared. */
function misfits(schema: TSchema, value: Json): string[] {
  const problems = checker(schema)(value).map(({ path, message }) => `${path} ${message}`);
  return [...problems, ...undeclared(schema, value, '')];
}

function undeclared(schema: Json, value: Json, path: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  if (schema.anyOf) {
    const each: string[][] = schema.anyOf
      .filter((one: Json) => one.type !== 'null')
      .map((one: Json) => undeclared(one, value, path));
    return each.toSorted((one, other) => one.length - other.length)[0]!;
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => undeclared(schema.items, item, `${path}.${index}`));
  }
  if (!schema.properties || schema.additionalProperties) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name in schema.properties
      ? undeclared(schema.properties[name], member, `${path}.${name}`)
      : [`${path}.${name} is not declared`],
  );
}

const EXAMPLE_URLS = new Set<string>(Object.values(URL_KINDS).map(({ examples }) => examples[0]));

/** The URLs of a reply that are of this server where the kind that the schema names is not, or the other way round. */
function foreignUrls(schema: Json, value: Json, path: string): string[] {
  if (value === null || value === undefined) return [];
  if (schema.anyOf) {
    // A member that one variant has is declared in no other.
    return schema.anyOf.flatMap((one: Json) => foreignUrls(one, value, path));
  }
  if (Array.isArray(value)) return value.flatMap((item) => foreignUrls(schema.items ?? {}, item, path));
  if (typeof value === 'object') {
    return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, inner]) =>
      foreignUrls(inner, value[name], `${path}.${name}`),
    );
  }
  const example = schema.examples?.[0];
  if (typeof value !== 'string' || !EXAMPLE_URLS.has(example)) return [];
  const isOurs = value.startsWith(WORLD_URL);
  if (isOurs === example.startsWith(DEFAULT_URL)) return [];
  return [
    `${path} is ${value}, and its example ${example}: name the kind of URL that it is, Url(kind, description) in its schema`,
  ];
}

const WORLD_URL = 'http://tapbench.test';
const DEFAULT_URL = 'http://127.0.0.1:8080';

/** What an event of each object carries. */
const CARRIED: Record<string, TSchema> = {
  Account,
  Conversion,
  Customer,
  Dispute,
  PaymentSession: SessionEventData,
  Payout,
  PayoutMethod,
  Person,
  PlatformFee,
  Subscription: SubscriptionEventData,
  Terminal,
  Transfer,
};

/** Holds an event, and the object that it carries, against what they are declared to be. */
export function checkEvent(event: Json): void {
  expect([event.eventType, misfits(Event, event)]).toEqual([event.eventType, []]);
  const carried = CARRIED[event.eventType.split('.')[0]]!;
  expect([event.eventType, misfits(carried, event.data)]).toEqual([event.eventType, []]);
}
