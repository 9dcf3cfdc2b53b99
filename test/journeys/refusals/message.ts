import { refusalsOf } from '../../../server/platform/http/openapi/openapi-refusals.ts';
import { REFUSALS, type RefusalName } from '../../../server/platform/http/refusals.ts';
import type { Route } from '../../../server/platform/http/route.ts';

/** The message of a refusal, with anything in place of what is filled in. */
export function messageOf(name: RefusalName): RegExp {
  const text = REFUSALS[name].message.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^]+');
  return new RegExp(`^${text}$`);
}

/** What is said of a URL that leads to no operation, and of a body that none looks at. */
const OF_NO_OPERATION: RefusalName[] = ['unknown_path', 'final_slash', 'undecodable_path', 'wrong_method'];
const OF_ANY_BODY: RefusalName[] = [
  'body_too_large',
  'body_too_deep',
  'content_encoding',
  'unsupported_media',
];

/** Whether an answer is a refusal that the document says the operation has. */
export function isDeclared(route: Route, status: number, message: string): boolean {
  const others = route.body ? OF_NO_OPERATION : [...OF_NO_OPERATION, ...OF_ANY_BODY];
  return [...refusalsOf(route), ...others].some(
    (name) => REFUSALS[name].status === status && messageOf(name).test(message),
  );
}
