import type { Caller } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { UniqueViolation, type Queries } from '../../platform/store/store.ts';
import { changeAccount, createAccount } from './account-service.ts';
import { readAccount, readAccountById } from './account-view.ts';
import { findOwnAccount, findSubAccount, type AccountRow } from './account.records.ts';
import { refuseIncomplete } from './account.rules.ts';
import { Account, AccountCreate, AccountUpdate } from './account.schema.ts';
import { changingAccount } from './verification.ts';

const section = 'Spec §4.3';

/** Looks up what `{id}` of a path under /accounts names: a sub account of the platform that calls. */
export function subAccountById(queries: Queries) {
  return async ({ caller, params }: { caller: Caller; params: Record<string, string> }) => {
    const row = await findSubAccount(queries, caller.platformId, params['id']!);
    if (!row) throw new Refusal('not_found', { what: 'account' });
    return row;
  };
}

export function accountRoutes(services: Services): Route[] {
  const { store } = services;
  const common = { tag: 'Account', section, reply: Account };
  const find = subAccountById(store);

  return [
    route({
      ...common,
      operation: 'POST /accounts',
      summary: 'Create a sub account',
      body: AccountCreate,
      refusals: [
        'email_required',
        'block_required',
        'block_mismatch',
        'entity_type_required',
        'document_country',
        'file_category',
        'not_found',
        'email_taken',
      ],
      async handle({ caller, body }) {
        refuseIncomplete(body);
        return store
          .transaction((tx) => createAccount(tx, services, caller.platformId, body))
          .catch(refuseTaken);
      },
    }),
    route({
      ...common,
      operation: 'GET /accounts/{id}',
      summary: 'Fetch a sub account, or the platform itself',
      find: ({ caller, params }) => findOwnAccount(store, caller.platformId, params['id']!),
      handle: ({ found }) => readAccount(store, found),
    }),
    route({
      ...common,
      operation: 'PATCH /accounts/{id}',
      summary: 'Change a NonHosted sub account',
      body: AccountUpdate,
      refusals: [
        'account_hosted',
        'entity_type_required',
        'entity_type_final',
        'document_country',
        'file_category',
      ],
      find,
      async handle({ body, found }) {
        refuseHosted(found);
        return store.transaction(async (tx) => {
          await changeAccount(tx, services, found.id, body);
          return readAccountById(tx, found.id);
        });
      },
    }),
    route({
      ...common,
      operation: 'POST /accounts/{id}/verify',
      deprecated: true,
      summary: 'Deprecated: a Business account is submitted for verification by itself when it is complete',
      refusals: ['individual_verify'],
      find,
      async handle({ found }) {
        if (found.entity_type === 'Individual') throw new Refusal('individual_verify');
        return store.transaction(async (tx) => {
          await changingAccount(tx, services, found.id, async () => {});
          return readAccountById(tx, found.id);
        });
      },
    }),
  ];
}

function refuseHosted({ onboarding_flow: flow }: AccountRow): void {
  if (flow === 'Hosted') throw new Refusal('account_hosted');
}

function refuseTaken(error: unknown): never {
  if (error instanceof UniqueViolation) throw new Refusal('email_taken');
  throw error;
}
