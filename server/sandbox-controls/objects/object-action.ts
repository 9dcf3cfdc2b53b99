import type { TSchema } from '../../../protocol/schema.ts';
import type { Caller } from '../../platform/http/auth.ts';
import type { ParamNames, Params } from '../../platform/http/path-params.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { PaymentServices } from '../../api/payments/payment-services.ts';
import type { ActionField, ObjectAction } from './object-action.schema.ts';

/** What the actions of an object are computed from, besides its row. */
export interface ActionContext {
  services: PaymentServices;
  /** Calls for the account that the object belongs to. */
  caller: Caller;
}

interface Declaration<Path extends string> {
  /** Operation as its route declares it. */
  operation: `${ObjectAction['method']} ${Path}`;
  params: Params<ParamNames<Path>>;
  name: string;
  label: string;
  /** Account that the operation is called for, where it takes the Account header. */
  accountId?: string;
  body?: Record<string, unknown>;
  fields?: ActionField[];
}

/** Returns an action with the path of its operation. */
export function objectAction<const Path extends string>(declaration: Declaration<Path>): ObjectAction {
  const { operation, params, name, label, accountId = null, body = {}, fields = [] } = declaration;
  const [method, pattern] = operation.split(' ') as [ObjectAction['method'], string];
  const path = pattern.replace(/\{(\w+)\}/g, (_all, param: string) =>
    encodeURIComponent((params as Record<string, string>)[param]!),
  );
  const prefix = path.startsWith('/sandbox/') ? '' : '/v1';
  return { name, label, method, path: prefix + path, accountId, body, fields };
}

/** Returns what a rule returns; undefined where it refuses. */
export async function unlessRefused<T>(rule: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await rule();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Returns whether a rule refuses nothing. */
export async function isAllowed(rule: () => void | Promise<void>): Promise<boolean> {
  const allowed = await unlessRefused(async () => {
    await rule();
    return true;
  });
  return allowed ?? false;
}

/** Returns the field of a text, as long as the schema of the body lets the member be. */
export function textField(
  body: TSchema,
  member: string,
  label: string,
  { required = false } = {},
): ActionField {
  let schema = body as MemberSchema;
  for (const name of member.split('.')) schema = schema.properties![name]!;
  return { member, label, type: 'text', required, maxLength: schema.maxLength! };
}

/** What is read of the schema of a body, or of a member of it. */
interface MemberSchema {
  properties?: Record<string, MemberSchema>;
  maxLength?: number;
}

/** Returns the field of an amount that is the whole of `maximum` by default, in minor units. */
export function amountField(maximum: number, currency: string): ActionField {
  return { member: 'amount', label: 'Amount', type: 'amount', required: false, maximum, currency };
}

/** Returns a field with one of these values. */
export function choiceField(
  member: string,
  label: string,
  options: readonly string[],
  { required = true } = {},
): ActionField {
  return { member, label, type: 'choice', required, options: [...options] };
}
