import { Fault } from '../../protocol/failures.ts';
import type { EventType } from '../../server/api/webhooks/event-types.ts';
import type { MemberChange } from './member-change.ts';
import type { Operation, TriggerPath } from './trigger-path.ts';

/**
 * Checks that each changed member is declared: the API ignores properties that it does not know.
 * @throws Fault `bad_setting` for a step that the path does not have, and for a member that its request does not have
 */
export async function checkChanges(
  eventType: EventType,
  { steps, main }: TriggerPath,
  changes: readonly MemberChange[],
): Promise<void> {
  const requests = steps.filter((step) => 'request' in step);
  for (const { step = main, path } of changes) {
    const request = requests.find(({ name }) => name === step);
    if (!request) {
      const names = requests.map(({ name }) => name).join(', ');
      throw new Fault('bad_setting', `--set: ${eventType} has no step '${step}': its steps are ${names}`);
    }
    await checkMember(request.request, path);
  }
}

/**
 * Checks that the body of an operation can have a member. The names of the operation's parameters do not matter.
 * @throws Fault `bad_setting` with the members that it can have there
 */
export async function checkMember(operation: Operation, path: readonly string[]): Promise<void> {
  const { ROUTES } = await import('../../server/routes.ts');
  const unnamed = (text: string) => text.replace(/\{[^}]*\}/g, '{}');
  const body = ROUTES.find(
    ({ method, path: url }) => unnamed(`${method} ${url}`) === unnamed(operation),
  )?.body;
  const problem = body ? undeclared(body, path) : `'${path.join('.')}': it has none`;
  if (problem !== undefined) throw new Fault('bad_setting', `--set: ${operation} has no member ${problem}`);
}

/** The parts of a schema that say what members its values have. */
interface Shape {
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  additionalProperties?: boolean | Shape;
}

/**
 * Returns the first part of a path that values of a schema cannot have, with the members that they can have there;
 * undefined when they can have all of it.
 */
function undeclared(schema: Shape, path: readonly string[], depth = 0): string | undefined {
  const name = path[depth];
  if (name === undefined) return undefined;
  const { anyOf, items, properties = {}, additionalProperties } = schema;
  if (anyOf) {
    const problems = anyOf.map((one) => undeclared(one, path, depth));
    return problems.includes(undefined) ? undefined : problems.find(Boolean);
  }
  if (items && /^\d{1,3}$/.test(name)) return undeclared(items, path, depth + 1);
  if (Object.hasOwn(properties, name)) return undeclared(properties[name]!, path, depth + 1);
  if (additionalProperties) return undefined;
  const members = items ? ['0', '1, ...'] : Object.keys(properties);
  const there = members.length === 0 ? 'none' : members.join(', ');
  const within = path.slice(0, depth).join('.');
  return `'${path.slice(0, depth + 1).join('.')}': ${within || 'it'} has ${there}`;
}
