import type { Caller } from '../../platform/http/auth.ts';
import { readPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { subAccountById } from './account.resource.ts';
import { addPerson, changePerson, removePerson } from './person-service.ts';
import { findPerson, PERSON_LIST, showPerson, type PersonRow } from './person.records.ts';
import { Person, PersonCreate, PersonUpdate } from './person.schema.ts';

export function personRoutes(services: Services): Route[] {
  const { store } = services;
  const common = { tag: 'Person', section: 'Spec §4.4' };
  const find = subAccountById(store);

  async function findOne(call: { caller: Caller; params: Record<string, string> }) {
    const account = await find(call);
    const person = await findPerson(store, account.id, call.params['personId']!);
    return person && { account, person };
  }

  return [
    route({
      ...common,
      operation: 'POST /accounts/{id}/persons',
      summary: 'Add a person to a Business account',
      body: PersonCreate,
      reply: Person,
      refusals: ['persons_of_business', 'persons_limit', 'document_country', 'file_category'],
      find,
      handle: ({ body, found }) => store.transaction((tx) => addPerson(tx, services, found.id, body)),
    }),
    route({
      ...common,
      operation: 'GET /accounts/{id}/persons',
      summary: 'List the persons of an account',
      query: PageQuery,
      reply: Page(Person),
      refusals: ['unknown_token'],
      find,
      async handle({ query, found }) {
        const page = await readPage<PersonRow>(store, PERSON_LIST(found.id), query);
        return { items: page.rows.map(showPerson), paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: 'GET /accounts/{id}/persons/{personId}',
      summary: 'Fetch a person',
      reply: Person,
      find: findOne,
      handle: async ({ found }) => showPerson(found.person),
    }),
    route({
      ...common,
      operation: 'PATCH /accounts/{id}/persons/{personId}',
      summary: 'Change a person, or add documents',
      body: PersonUpdate,
      reply: Person,
      refusals: ['persons_limit', 'document_country', 'file_category'],
      find: findOne,
      handle: ({ body, found: { account, person } }) =>
        store.transaction((tx) => changePerson(tx, services, account, person.id, body)),
    }),
    route({
      ...common,
      operation: 'DELETE /accounts/{id}/persons/{personId}',
      summary: 'Remove a person and the files of their documents',
      reply: Person,
      refusals: ['person_in_verification'],
      find: findOne,
      handle: ({ found: { account, person } }) =>
        store.transaction((tx) => removePerson(tx, services, account.id, person.id)),
    }),
  ];
}
