import type { Random } from '../../protocol/ids.ts';

// oxlint-disable-next-line no-explicit-any -- a schema, or a value that is meant to be wrong
type Json = any;

export interface Request {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

/** An operation of the OpenAPI document. */
interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: string; schema: Json }[];
  content: Record<string, { schema: Json }>;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      content: requestBody?.content ?? {},
    })),
  );
}

const BAD: readonly Json[] = [
  null,
  true,
  -1,
  0,
  0.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '💥',
  '%00',
  '../../etc/passwd',
  "'; DROP TABLE accounts; --",
  '2023-02-30',
  '-0',
  'Infinity',
  [],
  [null],
  {},
  [[[[[[[[]]]]]]]],
  JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":null}'),
];

const RAW: readonly (string | Buffer)[] = [
  '{',
  '{"a":',
  '[1,2',
  'null',
  '"text"',
  '1e999',
  'NaN',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  '['.repeat(20_000),
  `{"a":"${'y'.repeat(100_000)}"}`,
  Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x80]),
  Buffer.alloc(1024 * 1024 + 1, 0x20),
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nno end',
];

const HEADERS: readonly Record<string, string>[] = [
  { authorization: '' },
  { authorization: 'Bearer sk_sandbox_world' },
  { authorization: 'sk_live_world' },
  { authorization: 'pk_sandbox_world' },
  { account: 'ac_' },
  { account: `ac_${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}` },
  { account: 'x'.repeat(4_000) },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=b' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'text/plain; charset=utf-16' },
  { 'content-type': ';;;' },
  { 'content-encoding': 'gzip' },
  { accept: 'image/png', range: 'bytes=5-1', expect: 'nothing' },
];

/** Prefixes of ids by the segment of the path before them. */
const PREFIXES: Record<string, string> = {
  accounts: 'ac',
  actions: 'tmlact',
  customers: 'cus',
  disputes: 'dsp',
  events: 'ev',
  files: 'fl',
  locations: 'iploc',
  orders: 'ipord',
  'payment-methods': 'pmt',
  'payment-sessions': 'ps',
  'payout-methods': 'pm',
  payouts: 'po',
  persons: 'per',
  'platform-fees': 'pf',
  products: 'ippd',
  skus: 'ipsku',
  subscriptions: 'sub',
  terminals: 'tml',
  transactions: 'txn',
  'web-domains': 'apwd',
  webhooks: 'wh',
};

const NO_IDS = ['nonsense', '%', '..', '💥', 'x'.repeat(300), "' OR 1=1", '0', 'ps_'];

interface Maker {
  /** A request for an operation, good in most of it and spoiled somewhere. */
  request(operation: Operation): Request;
}

/** Makes malformed requests, always the same for one random. `ids` are of objects that exist. */
export function malformedRequests(
  { schemas, ids, random }: { schemas: Json; ids: readonly string[]; random: Random },
  authorization: string,
): Maker {
  const fraction = () => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
  const below = (count: number) => Math.floor(fraction() * count);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const chance = (share: number) => fraction() < share;

  function value(schema: Json, depth = 0): Json {
    if (schema.$ref) return value(schemas[schema.$ref.split('/').at(-1)], depth);
    if ('const' in schema) return schema.const;
    if (schema.enum) return pick(schema.enum);
    if (schema.anyOf) return value(pick(schema.anyOf), depth);
    switch (schema.type) {
      case 'object':
        return depth > 6 ? {} : object(schema, depth);
      case 'array':
        return Array.from({ length: below(3) }, () => value(schema.items ?? {}, depth + 1));
      case 'integer':
      case 'number':
        return (schema.minimum ?? 0) + below(Math.min(schema.maximum ?? 5_000, 5_000));
      case 'boolean':
        return chance(0.5);
      case 'null':
        return null;
      default:
        return text(schema);
    }
  }

  function object({ properties = {}, required = [] }: Json, depth: number): Json {
    const members = Object.entries<Json>(properties)
      .filter(([name]) => required.includes(name) || chance(0.4))
      .map(([name, member]) => [name, value(member, depth + 1)]);
    return Object.fromEntries(members);
  }

  function text({ pattern = '', maxLength = 20 }: { pattern?: string; maxLength?: number }): string {
    const fitting = ids.filter((id) => pattern !== '' && new RegExp(pattern).test(id));
    if (fitting.length > 0) return pick(fitting);
    const words = [
      'sam@example.com',
      'https://a.example/b',
      'GB',
      '2020-01-31',
      '+442079460000',
      '4242424242424241', // nobody's number: texts are kept as they come, and no card number may be
      '12',
    ];
    return pick(chance(0.3) ? ids : words).slice(0, maxLength);
  }

  /** The value with one place in it spoiled. */
  function spoiled(good: Json): Json {
    if (typeof good !== 'object' || good === null || chance(0.15)) return pick(BAD);
    const names = Object.keys(good);
    if (names.length === 0) return { [pick(['amount', 'id', '', '__proto__'])]: pick(BAD) };
    const name = pick(names);
    if (Array.isArray(good))
      return good.map((item, index) => (String(index) === name ? spoiled(item) : item));
    if (!chance(0.2)) return { ...good, [name]: spoiled(good[name]) };
    const { [name]: _without, ...rest } = good;
    return rest;
  }

  /** What stands for a parameter: mostly the id of such an object, else that of another, else nonsense. */
  function inPath(list: string): string {
    const fitting = ids.filter((id) => id.startsWith(`${PREFIXES[list]}_`));
    if (fitting.length > 0 && chance(0.7)) return pick(fitting);
    return chance(0.3) ? pick(ids) : encodeURIComponent(pick(NO_IDS));
  }

  function queryOf({ parameters }: Operation): string {
    const asked = parameters.filter((parameter) => parameter.in === 'query' && chance(0.5));
    const parts = asked.map(
      ({ name, schema }) => `${name}=${encodedText(chance(0.5) ? pick(BAD) : value(schema))}`,
    );
    if (chance(0.1)) parts.push(pick(['limit=%', 'limit=1&limit=2', 'a[b]=1', '=', '&&&', '%zz=1', '?']));
    return parts.length > 0 ? `?${parts.join('&')}` : '';
  }

  return {
    request(operation) {
      const path = operation.path.replace(/([\w-]+)\/\{\w+\}/g, (_all, list) => `${list}/${inPath(list)}`);
      const request: Request = {
        method: chance(0.03) ? pick(['PUT', 'OPTIONS', 'HEAD', 'PATCH', 'DELETE']) : operation.method,
        url: (chance(0.02) ? `${path}/%E0%A4%A` : path) + queryOf(operation),
        headers: { authorization, 'content-type': 'application/json' },
      };
      if (chance(0.15)) Object.assign(request.headers, pick(HEADERS));
      const schema =
        operation.content['application/json']?.schema ?? operation.content['multipart/form-data']?.schema;
      if (chance(0.12)) request.payload = pick(RAW);
      else if (schema) request.payload = JSON.stringify(spoiled(value(schema)));
      else if (chance(0.3)) request.payload = JSON.stringify(pick(BAD));
      return request;
    },
  };
}

function encodedText(any: Json): string {
  // A lone surrogate has no percent-encoding.
  return encodeURIComponent(
    String(typeof any === 'object' ? JSON.stringify(any) : any).replace(/\p{Surrogate}/gu, ''),
  );
}
