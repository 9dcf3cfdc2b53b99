import type { Caller } from '../../platform/http/auth.ts';
import { maskSecrets } from '../../platform/mask-secrets.ts';
import type { Services } from '../../platform/services.ts';
import type { PaymentServices } from '../../api/payments/payment-services.ts';
import type { Queries, Row } from '../../platform/store/store.ts';
import { findBalance } from './balances.ts';
import {
  transactionsOfBalance,
  entriesOf,
  entriesWhere,
  eventsOf,
  requestsOf,
  toEventOfObject,
  toRequestOfObject,
} from './history.records.ts';
import type { ActionContext } from './object-action.ts';
import { findObject } from './object-list.records.ts';
import { summaryOf } from './object-summary.ts';
import type { ObjectRow, ObjectType } from './object-type.ts';
import type { ObjectDetail } from './object.schema.ts';
import { namedBy, namesOf } from './related.records.ts';
import { stateChanges } from './state-changes.ts';

// Enough for the largest object of the API.
const LIMITS = { nodes: 5_000, characters: 10_000 };

/** Returns an object with its relations and its history; undefined for an id that the caller controls no object with. */
export async function readObject(
  services: PaymentServices,
  caller: Caller,
  id: string,
): Promise<ObjectDetail | undefined> {
  const { store, clock } = services;
  const found = await findObject(store, caller, id);
  if (!found) return readBalance(services, caller, id);
  const { name, type, row } = found;
  const [object] = await type.show(services, [row]);
  const summary = summaryOf([name, type], row, object!);
  const [events, calls] = [await eventsOf(store, type, row), await requestsOf(services, id)];
  const entries = await entriesOf(store, type, row);
  const { created_ms: createdMs, updated_ms: updatedMs } = row as {
    created_ms?: number;
    updated_ms?: number;
  };
  const known = { id, initialStatus: type.initialStatus, createdMs, updatedMs, status: summary.status };
  return {
    ...summary,
    object: maskSecrets(object, LIMITS) as object,
    state: type.state?.(row, clock.nowMs()) ?? null,
    nextMoment: await nextMomentOf(store, type, row, clock.nowMs()),
    actions: await actionsOf({ services, caller }, type, row),
    names: await namesOf(store, type, row, object!),
    namedBy: await namedBy(services, caller, [name, id]),
    history: {
      states: stateChanges(known, events.items, calls.items),
      events: events.items.map(toEventOfObject),
      requests: calls.items.map(toRequestOfObject),
      entries: entries.items,
      hasMore: { events: events.hasMore, requests: calls.hasMore, entries: entries.hasMore },
    },
  };
}

async function actionsOf({ services, caller }: ActionContext, type: ObjectType, row: ObjectRow) {
  const accountId = row['of_account'];
  const ofAccount = typeof accountId === 'string' ? { ...caller, accountId } : caller;
  return (await type.actions?.({ services, caller: ofAccount }, row)) ?? [];
}

async function readBalance(
  services: Services,
  caller: Caller,
  id: string,
): Promise<ObjectDetail | undefined> {
  const found = await findBalance(services, caller, id);
  if (!found) return undefined;
  const { summary, balance } = found;
  const { accountId, currency } = summary;
  const entries = await entriesWhere(services.store, transactionsOfBalance(accountId!, currency!));
  return {
    ...summary,
    object: balance,
    state: null,
    nextMoment: null,
    actions: [],
    names: [{ member: 'account', id: accountId! }],
    namedBy: [],
    history: {
      states: [],
      events: [],
      requests: [],
      entries: entries.items,
      hasMore: { events: false, requests: false, entries: entries.hasMore },
    },
  };
}

/** What the jobs do to the object that they are for. */
const JOBS: Record<string, string> = {
  'action.deadline': 'the terminal is timed out',
  'account.verification': 'the verification of the account is decided',
  'conversion.price': 'the conversion gets its price',
  'conversion.settle': 'the conversion is settled',
  'dispute.date': 'the time to respond ends, or the challenge is decided',
  'payment.failure': 'the transaction fails',
  'payment.hold': 'the authorisation is voided',
  'payment.lifetime': 'the payment session expires',
  'payout.automatic': 'the account is paid out',
  'payout.settle': 'the bank pays or refuses it',
  'person.verification': 'the verification of the person is decided',
  'subscription.wake': 'the subscription is billed, resumed or charged again',
};

/** Returns what happens next to an object by itself, and when; null for nothing. */
async function nextMomentOf(
  queries: Queries,
  type: ObjectType,
  row: ObjectRow,
  nowMs: number,
): Promise<ObjectDetail['nextMoment']> {
  const keys = [row.id, ...(type.jobsOf?.(row) ?? [])];
  const kinds = Object.keys(JOBS);
  const job = await queries.get<Row & { kind: string; due_ms: number }>(
    `SELECT kind, due_ms FROM jobs WHERE subject IN (${keys.map(() => '?').join(', ')}) AND due_ms > ?
       AND kind IN (${kinds.map(() => '?').join(', ')}) ORDER BY due_ms LIMIT 1`,
    ...keys,
    nowMs,
    ...kinds,
  );
  if (job) return { what: JOBS[job.kind]!, timestamp: Math.ceil(job.due_ms / 1000) };
  const due = type.due?.(row);
  return due && due.atMs > nowMs ? { what: due.what, timestamp: Math.ceil(due.atMs / 1000) } : null;
}
