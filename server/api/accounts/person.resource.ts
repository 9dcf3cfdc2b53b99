import { listRoute } from '../../platform/http/object-routes.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { ACCOUNT_GUARDS } from './account.records.ts';
import { subAccountById } from './account.resource.ts';
import { addPerson, changePerson, removePerson } from './person-service.ts';
import { persons, toPerson } from './person.records.ts';
import { Person, PersonCreate, PersonUpdate } from './person.schema.ts';

const common = { tag: 'Person', section: 'Spec §4.4' };

async function find(call: FindContext<'id' | 'personId'>) {
  const account = await subAccountById(call);
  const person = await persons.find(call.services.store, account.id, call.params.personId);
  return person && { account, person };
}

const createPersonRoute = route({
  ...common,
  operation: 'POST /accounts/{id}/persons',
  summary: 'Add a person to a Business account',
  body: PersonCreate,
  reply: Person,
  refusals: ['persons_of_business', 'persons_limit', 'document_country', 'file_category'],
  find: subAccountById,
  handle: ({ services, body, found }) =>
    services.store.transaction((tx) => addPerson(tx, services, found.id, body), ACCOUNT_GUARDS),
});

const listPersonsRoute = listRoute({
  ...common,
  operation: 'GET /accounts/{id}/persons',
  summary: 'List the persons of an account',
  item: Person,
  find: subAccountById,
  list: ({ found }) => persons.listOf(found.id),
  show: toPerson,
});

const getPersonRoute = route({
  ...common,
  operation: 'GET /accounts/{id}/persons/{personId}',
  summary: 'Retrieve a person',
  reply: Person,
  find,
  handle: async ({ found }) => toPerson(found.person),
});

const updatePersonRoute = route({
  ...common,
  operation: 'PATCH /accounts/{id}/persons/{personId}',
  summary: 'Update a person, or add documents',
  body: PersonUpdate,
  reply: Person,
  refusals: ['persons_limit', 'document_country', 'file_category'],
  find,
  handle: ({ services, body, found: { account, person } }) =>
    services.store.transaction((tx) => changePerson(tx, services, account, person.id, body), ACCOUNT_GUARDS),
});

const deletePersonRoute = route({
  ...common,
  operation: 'DELETE /accounts/{id}/persons/{personId}',
  summary: 'Delete a person and the files of their documents',
  reply: Person,
  refusals: ['person_in_verification'],
  find,
  handle: ({ services, found: { account, person } }) =>
    services.store.transaction((tx) => removePerson(tx, services, account.id, person.id), ACCOUNT_GUARDS),
});

export const personRoutes: readonly Route[] = [
  createPersonRoute,
  listPersonsRoute,
  getPersonRoute,
  updatePersonRoute,
  deletePersonRoute,
];
