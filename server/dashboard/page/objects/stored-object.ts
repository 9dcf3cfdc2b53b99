import type { Reply } from '../../../../protocol/api-client.ts';
import type { ObjectKind } from './object-kinds.ts';
import type { Route } from '../route.ts';

/** An object in a list of /sandbox/objects. Amounts in minor units, times in seconds. */
export interface ObjectSummary {
  id: string;
  type: ObjectKind;
  accountId: string | null;
  label: string | null;
  status: string | null;
  amount: number | null;
  currency: string | null;
  deleted: boolean;
  createdTimestamp: number | null;
}

/** An object of /sandbox/objects/{id}, with its relations and its history. */
export interface ObjectDetails extends ObjectSummary {
  object: Record<string, unknown>;
  state: string | null;
  nextMoment: { what: string; timestamp: number } | null;
  actions: ObjectAction[];
  names: { member: string; id: string }[];
  namedBy: { type: ObjectKind; items: ObjectSummary[]; hasMore: boolean }[];
  history: Reply<'GET /sandbox/objects/{id}'>['history'];
}

/** A request that an object allows in its present state. */
export interface ObjectAction {
  name: string;
  label: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Value of the Account header; null for none. */
  accountId: string | null;
  /** Members that the body always has. */
  body: Record<string, unknown>;
  fields: ActionField[];
}

/** A member of the body of an action that is chosen. */
export interface ActionField {
  /** Dotted path. */
  member: string;
  label: string;
  type: 'amount' | 'choice' | 'text' | 'boolean' | 'timestamp';
  required: boolean;
  /** Values of a choice. */
  options?: string[];
  /** What the form calls them; the values themselves by default. */
  optionLabels?: string[];
  /** Most characters of a text. */
  maxLength?: number;
  /** Largest amount in minor units of `currency`, which is the default. */
  maximum?: number;
  currency?: string;
}

/** What /sandbox/search found. */
export interface SearchResult {
  id: string;
  type: ObjectKind | 'request';
  label: string | null;
}

type HistoryPart = keyof ObjectDetails['history']['hasMore'];

/** Returns the lists that have the whole of each part of an object's history. */
export function historyLists(id: string) {
  return {
    events: { view: 'objects', filters: { type: 'event', historyOf: id } },
    requests: { view: 'requests', filters: { historyOf: id } },
    entries: { view: 'objects', filters: { type: 'balanceTransaction', historyOf: id } },
  } as const satisfies Record<HistoryPart, Route>;
}
