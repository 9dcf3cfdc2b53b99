import type { ObjectKind } from './object-kinds.ts';

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
  names: { member: string; id: string }[];
  namedBy: { type: ObjectKind; items: ObjectSummary[]; hasMore: boolean }[];
  history: ObjectHistory;
}

export interface ObjectHistory {
  states: { status: string; createdTimestamp: number; eventId: string | null; requestId: string | null }[];
  events: { id: string; eventType: string; createdTimestamp: number }[];
  requests: { id: string; method: string; path: string; status: number | null; createdTimestamp: number }[];
  entries: {
    id: string;
    type: string;
    createdTimestamp: number;
    postings: { holder: string; amount: number; currency: string }[];
  }[];
}

/** What /sandbox/search found. */
export interface SearchResult {
  id: string;
  type: ObjectKind | 'request';
  label: string | null;
}
