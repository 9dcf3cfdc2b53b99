import { Refusal } from '../../platform/http/refusals.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { UniqueViolation } from '../../platform/store/store.ts';
import { changeAccount, createAccount } from './account-service.ts';
import { readAccountResource, readAccountResourceById } from './account-view.ts';
import { findOwnAccount, lockAccount, accounts, ACCOUNT_GUARDS, type AccountRow } from './account.records.ts';
import { otherBlocks, refuseIncomplete } from './account.rules.ts';
import { Account, AccountCreate, AccountUpdate } from './account.schema.ts';
import { applyAccountChange } from './verification.ts';

const section = 'Spec §4.3';

/**
 * Returns the sub account that `{id}` of a path names.
 * @throws Refusal `not_found` when the caller's platform has none with this id.
 */
export async function subAccountById({
  services: { store },
  caller,
  params,
}: FindContext<'id'>): Promise<AccountRow> {
  const row = await accounts.find(store, caller.platformId, params.id);
  if (!row) throw new Refusal('not_found', { what: 'account' });
  return row;
}

const common = { tag: 'Account', section, reply: Account };

const createAccountRoute = route({
  ...common,
  operation: 'POST /accounts',
  summary: 'Create a sub account',
  body: AccountCreate,
  ignoredInBody: ({ onboardingFlow }) => (onboardingFlow === 'NonHosted' ? ['email'] : []),
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
  async handle({ services, caller, body }) {
    refuseIncomplete(body);
    return services.store
      .transaction((tx) => createAccount(tx, services, caller.platformId, body), ACCOUNT_GUARDS)
      .catch(refuseDuplicateEmail);
  },
});

const getAccountRoute = route({
  ...common,
  operation: 'GET /accounts/{id}',
  summary: 'Retrieve a sub account, or the platform itself',
  find: ({ services: { store }, caller, params }) => findOwnAccount(store, caller.platformId, params.id),
  handle: ({ services: { store }, found }) => readAccountResource(store, found),
});

const updateAccountRoute = route({
  ...common,
  operation: 'PATCH /accounts/{id}',
  summary: 'Update a NonHosted sub account',
  body: AccountUpdate,
  ignoredInBody: ({ entityType }, found) => otherBlocks(entityType ?? found.entity_type),
  refusals: [
    'account_hosted',
    'entity_type_required',
    'entity_type_final',
    'document_country',
    'file_category',
  ],
  find: subAccountById,
  async handle({ services, body, found }) {
    refuseHosted(found);
    return services.store.transaction(async (tx) => {
      await changeAccount(tx, services, found.id, body);
      return readAccountResourceById(tx, found.id);
    }, ACCOUNT_GUARDS);
  },
});

const verifyAccountRoute = route({
  ...common,
  operation: 'POST /accounts/{id}/verify',
  deprecated: true,
  summary:
    'Submit a Business account for verification. Deprecated: this happens automatically when it is complete.',
  refusals: ['individual_verify'],
  find: subAccountById,
  async handle({ services, found }) {
    if (found.entity_type === 'Individual') throw new Refusal('individual_verify');
    return services.store.transaction(async (tx) => {
      await lockAccount(tx, found.id);
      await applyAccountChange(tx, services, found.id, async () => {});
      return readAccountResourceById(tx, found.id);
    }, ACCOUNT_GUARDS);
  },
});

export const accountRoutes: readonly Route[] = [
  createAccountRoute,
  getAccountRoute,
  updateAccountRoute,
  verifyAccountRoute,
];

function refuseHosted({ onboarding_flow: flow }: AccountRow): void {
  if (flow === 'Hosted') throw new Refusal('account_hosted');
}

function refuseDuplicateEmail(error: unknown): never {
  if (error instanceof UniqueViolation) throw new Refusal('email_taken');
  throw error;
}
