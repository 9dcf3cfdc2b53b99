import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountServer, type AccountServer } from './account-server.ts';
import { business, everyRole, person } from './account-bodies.ts';

type Deed = (server: AccountServer, accountId: string, pick: number) => Promise<number>;

const pathOf = (accountId: string) => `/v1/accounts/${accountId}`;

async function onSomebody(
  server: AccountServer,
  accountId: string,
  pick: number,
  deed: (id: string) => Promise<number>,
) {
  const { items } = (await server.call(`GET ${pathOf(accountId)}/persons?limit=50`)).body;
  return items.length === 0 ? 404 : deed(items[pick % items.length].id);
}

async function patch(server: AccountServer, path: string, body: object): Promise<number> {
  return (await server.call(`PATCH ${path}`, { body })).status;
}

/** What anybody may do to an account, in any order. */
const DEEDS: Record<string, Deed> = {
  phone: (server, id, pick) =>
    patch(server, pathOf(id), { business: { phoneNumber: pick % 2 ? '+442079460000' : 'none' } }),
  date: (server, id) => patch(server, pathOf(id), { business: { registrationDate: '2015-03-02' } }),
  registration: async (server, id, pick) =>
    patch(server, pathOf(id), {
      documents: [{ type: 'BusinessRegistration', front: pick % 5 ? await server.upload() : 'fl_none' }],
    }),
  individual: (server, id) => patch(server, pathOf(id), { entityType: 'Individual' }),
  person: async (server, id, pick) => {
    const businessRoles = everyRole.filter((_, index) => pick & (1 << index));
    return (await server.call(`POST ${pathOf(id)}/persons`, { body: { ...person, businessRoles } })).status;
  },
  roles: (server, id, pick) =>
    onSomebody(server, id, pick, (personId) =>
      patch(server, `${pathOf(id)}/persons/${personId}`, {
        businessRoles: everyRole.filter((_, index) => (pick >> 3) & (1 << index)),
      }),
    ),
  passport: (server, id, pick) =>
    onSomebody(server, id, pick, async (personId) =>
      patch(server, `${pathOf(id)}/persons/${personId}`, {
        documents: [{ type: 'Passport', country: 'GB', front: await server.upload() }],
      }),
    ),
  removal: (server, id, pick) =>
    onSomebody(
      server,
      id,
      pick,
      async (personId) => (await server.call(`DELETE ${pathOf(id)}/persons/${personId}`)).status,
    ),
  refusal: async (server, id) =>
    (await server.call(`POST /sandbox/accounts/${id}/verification`, { body: { outcome: 'Required' } }))
      .status,
};

/** A business that lacks a proof of somebody's identity. */
async function almostWhole(server: AccountServer): Promise<string> {
  const whole = {
    ...business,
    registrationDate: '2015-03-02',
    phoneNumber: '+442079460000',
    documents: [{ type: 'BusinessRegistration', front: await server.upload() }],
  };
  const { body } = await server.create({
    onboardingFlow: 'NonHosted',
    entityType: 'Business',
    business: whole,
  });
  await server.call(`POST ${pathOf(body.id)}/persons`, { body: { ...person, businessRoles: everyRole } });
  return body.id as string;
}

const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(DEEDS)), fc.nat({ max: 63 })), {
  minLength: 6,
  maxLength: 16,
});

test('account verification: after any calls, the missing fields match the status, and persons are counted', async () => {
  const server = await accountServer();
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, async (walk) => {
      const id = await almostWhole(server);
      for (const [name, pick] of walk) {
        expect([200, 400, 404]).toContain(await DEEDS[name]!(server, id, pick));
        const { entityType, verification } = (await server.call(`GET ${pathOf(id)}`)).body;
        const { items } = (await server.call(`GET ${pathOf(id)}/persons?limit=50`)).body;
        seen.add(verification.status);
        if (entityType !== 'Business') continue;
        const lacking =
          verification.requiredFields.length +
          verification.requiredDocuments.length +
          verification.persons.required.length +
          (verification.persons.status === 'Required' ? 1 : 0);
        expect([name, lacking > 0]).toEqual([name, verification.status === 'Required']);
        expect(items.length).toBeLessThanOrEqual(9);
        const contacts = items.filter((one: { businessRoles: string[] }) =>
          one.businessRoles.includes('BusinessContact'),
        );
        expect(contacts.length).toBeLessThanOrEqual(1);
        for (const one of items) {
          const asked = one.verification.requiredDocuments.length > 0;
          expect(asked).toBe(one.verification.status === 'Required');
        }
      }
    }),
    { numRuns: 25 },
  );
  // Else the walks were too short to show anything.
  expect([...seen].sort()).toEqual(expect.arrayContaining(['PendingVerification', 'Required']));
}, 30_000);
