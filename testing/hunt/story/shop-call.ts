import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../../protocol/outside-json.ts';
import { formatMinor } from '../../../protocol/money.ts';
import type { Route } from '../../../server/platform/http/route.ts';
import type { CallPlace } from '../../run-log/call-place.ts';
import { ROUTES } from '../../../server/routes.ts';

/** A request of the shop. */
export interface ShopRequest {
  method: string;
  path: string;
  /** As it was parsed; undefined when it is no JSON. */
  body: unknown;
}

/** A request of the shop, in words. */
interface ShopCall {
  /** Method and path, with the names of parameters in place of ids. */
  operation: string;
  /** Such as `Take a payment (POST /v1/in-person/terminals/{id}/payment: order-1, 17.42 GBP)`. */
  text: string;
}

/** @param orderMember metadata member that names the order */
export function describeShopCall({ method, path, body }: ShopRequest, orderMember: string): ShopCall {
  const route = ROUTES.find((each) => each.method === method && isServedBy(each, path));
  const operation = `${method} ${route?.path ?? path}`;
  const about = aboutOf(body, orderMember);
  const words = `${operation}${about === '' ? '' : `: ${about}`}`;
  // Its first sentence.
  const [title] = route?.summary.split(/(?<=\w)\. /) ?? [];
  return { operation, text: title === undefined ? words : `${title.replace(/\.$/, '')} (${words})` };
}

function isServedBy({ path }: Route, asked: string): boolean {
  const [declared, given] = [path.split('/'), asked.split('/')];
  return (
    declared.length === given.length &&
    declared.every((part, index) => part.startsWith('{') || part === given[index])
  );
}

/** Returns the order and the amount that a body names, in any of its objects. */
function aboutOf(body: unknown, orderMember: string): string {
  const objects = objectsIn(body);
  const first = (read: (object: Record<string, unknown>) => unknown) =>
    objects.map(read).find((value) => value !== undefined);
  const order = first(({ metadata }) => (isObject(metadata) ? metadata[orderMember] : undefined));
  const amount = first((object) => object['amount'] ?? object['requested']);
  const currency = first((object) => object['currency']);
  const money =
    typeof amount === 'number' && typeof currency === 'string' ? formatMinor(amount, currency) : undefined;
  return [order, money].filter((each) => typeof each === 'string').join(', ');
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

// A frame of V8: `at sell (file:///shop.ts:41:9)`, or without a name.
const FRAME = /^\s*at (?:.* \()?(?<file>(?:file:\/\/)?[^()]*[\\/][^()]+):(?<line>\d+):\d+\)?$/;
/** Returns the lines that are in no library, innermost first, as `src/shop.ts:41`, relative to the working directory. */
export function linesOf({ stack = '' }: CallPlace): string[] {
  return stack.split('\n').flatMap((text) => {
    const { file = '', line = '' } = FRAME.exec(text)?.groups ?? {};
    if (file === '' || /^node:|[\\/]node_modules[\\/]/.test(file)) return [];
    const path = file.startsWith('file://') ? fileURLToPath(file) : file;
    return [`${relative(process.cwd(), path).replaceAll('\\', '/')}:${line}`];
  });
}

/**
 * Returns the line of each call that says most: the innermost one that no call of another operation passes. The others are
 * those of a client that sends all calls. Undefined where there is none.
 */
export function distinctLines(
  calls: readonly { operation: string; lines: readonly string[] }[],
): (string | undefined)[] {
  const operations = new Map<string, Set<string>>();
  for (const { operation, lines } of calls)
    for (const line of lines) operations.set(line, (operations.get(line) ?? new Set()).add(operation));
  return calls.map(({ lines }) => lines.find((line) => operations.get(line)!.size === 1));
}
