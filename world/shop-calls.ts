import { parseOutsideJson } from '../protocol/outside-json.ts';
import { checker, Type, type Static } from '../protocol/schema.ts';

const CALLS_MAX = 100;
const PATH_CHARACTERS_MAX = 2_000;

/** What is posted to a shop, in order: its customers and its staff, as a hunt plays them. */
const ShopCalls = Type.Array(
  Type.Object(
    {
      path: Type.String({ pattern: '^/', maxLength: PATH_CHARACTERS_MAX }),
      /** Sent as JSON. */
      body: Type.Optional(Type.Unknown()),
      /** Whether it is sent together with the call before it, and not after the shop is quiet again. */
      beside: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: CALLS_MAX },
);
export type ShopCall = Static<typeof ShopCalls>[number];

const problemsOf = checker(ShopCalls);

/** Reads calls from JSON text. @throws Error that names what is wrong with them */
export function parseShopCalls(text: string): ShopCall[] {
  const calls = parseOutsideJson(text);
  assertShopCalls(calls);
  return calls;
}

/** @throws Error that names what is wrong with the calls */
export function assertShopCalls(calls: unknown): asserts calls is ShopCall[] {
  const problem = problemsOf(calls)[0];
  if (problem)
    throw new Error(`${problem.path === '' ? 'the calls' : `calls.${problem.path}`} ${problem.message}`);
}
