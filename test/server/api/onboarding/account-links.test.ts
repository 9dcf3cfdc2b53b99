import { expect, test } from 'vitest';
import { onboardingPages } from '../../../../server/api/onboarding/onboarding-pages.ts';
import { servePages } from '../../../../server/platform/http/pages/page.ts';
import { accountServer } from '../accounts/account-server.ts';
import { business, individual, person } from '../accounts/account-bodies.ts';

const redirectUrl = 'https://shop.example/back?step=2';

/** A server with its pages, and a browser that fills in forms. */
async function pageServer() {
  const server = await accountServer((http) => servePages(http, onboardingPages));
  const hosted = async (body: object = { email: 'ana@corner.example' }) =>
    (await server.create(body)).body.id as string;
  return {
    ...server,
    hosted,
    async link(accountId: string) {
      const { body } = await server.call('POST /v1/account-links', { body: { accountId, redirectUrl } });
      return new URL(body.url as string);
    },
    open: (url: URL | string) => server.call(`GET ${pathOf(url)}`, { headers: { authorization: null } }),
    submit: (path: string, fields: Record<string, string>) =>
      server.call(`POST ${path}`, {
        raw: new URLSearchParams(fields).toString(),
        headers: {
          authorization: null,
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': 'A browser',
        },
      }),
    account: async (id: string) => (await server.call(`GET /v1/accounts/${id}`)).body,
    persons: async (id: string) => (await server.call(`GET /v1/accounts/${id}/persons`)).body.items,
  };
}

function pathOf(url: URL | string): string {
  const { pathname, search } = new URL(url, 'http://tapbench.test');
  return pathname + search;
}

/** The members of a body as the fields of a form. */
function fieldsOf(members: object, path = ''): Record<string, string> {
  const fields = Object.entries(members).map(([name, value]: [string, unknown]) => {
    const inside = path === '' ? name : `${path}.${name}`;
    if (Array.isArray(value)) return { [inside]: value.join(', ') };
    return typeof value === 'object' ? fieldsOf(value as object, inside) : { [inside]: String(value) };
  });
  return Object.assign({}, ...fields) as Record<string, string>;
}

const { businessRoles: _roles, ...representative } = person;
const wholeBusiness = { ...business, registrationDate: '2015-03-02', phoneNumber: '+442079460000' };
const businessForm = {
  as: 'Business',
  ...fieldsOf({ business: wholeBusiness, person: representative }),
  documents: 'good',
  terms: 'yes',
};
const individualForm = {
  as: 'Individual',
  ...fieldsOf({ individual: { ...individual, phoneNumber: '+447700900123' } }),
  terms: 'yes',
};

test(
  'POST /account-links: returns a page of this server that is open for two hours',
  { tags: ['spec:4.3/POST/account-links', 'spec:4.3/link-expires'] },
  async () => {
    const server = await pageServer();
    const accountId = await server.hosted();
    const { status, body } = await server.call('POST /v1/account-links', {
      body: { accountId, redirectUrl },
    });
    expect([status, body]).toEqual([
      200,
      {
        createdTimestamp: body.createdTimestamp,
        expiresTimestamp: body.createdTimestamp + 7_200,
        url: expect.stringMatching(/^http:\/\/tapbench\.test\/join\?l=al_[\w-]{32}$/),
      },
    ]);
    const kept = await server.services.store.get('SELECT * FROM account_links');
    expect(JSON.stringify(kept)).not.toContain(new URL(body.url).searchParams.get('l'));

    await server.clock.advance(7_199_000);
    expect((await server.open(body.url)).status).toBe(200);
    await server.clock.advance(1_000);
    expect((await server.open(body.url)).status).toBe(404);
  },
);

test.each([
  [{ redirectUrl }, 400, 'accountId is required'],
  [{ accountId: 'ac_none' }, 400, 'redirectUrl is required'],
  [{ accountId: 'ac_none', redirectUrl: 'http://shop.example' }, 400, 'redirectUrl must be an https URL'],
  [{ accountId: 'ac_none', redirectUrl: 'https://' }, 400, 'redirectUrl must be an https URL'],
  [{ accountId: 'ac_none', redirectUrl }, 404, 'no such account'],
])('POST /account-links: refuses %j', async (body, status, message) => {
  const server = await pageServer();
  const answer = await server.call('POST /v1/account-links', { body });
  expect([answer.status, answer.body.errors[0].message]).toEqual([status, message]);
});

test(
  'POST /account-links: only a Hosted account has a page',
  { tags: ['spec:4.3/hosted-pages'] },
  async () => {
    const server = await pageServer();
    const body = { accountId: server.subAccountId, redirectUrl };
    const answer = await server.call('POST /v1/account-links', { body });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'bad_request']);
  },
);

test('account link page: asks for the entity type first when it is not known', async () => {
  const server = await pageServer();
  const url = await server.link(await server.hosted());
  const choice = await server.open(url);
  expect([choice.status, choice.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const targets = [...choice.text.matchAll(/<a href="([^"]*)"/g)].map(([, href]) =>
    href!.replace('&amp;', '&'),
  );
  const [forBusiness, forIndividual] = await Promise.all(targets.map((href) => server.open(`/join${href}`)));
  expect(forBusiness!.text).toContain('name="business.registrationNumber"');
  expect(forBusiness!.text).toContain('name="person.dateOfBirth"');
  expect(forIndividual!.text).toContain('name="individual.dateOfBirth"');
  expect(forIndividual!.text).not.toContain('name="documents"');
  expect((await server.submit('/join', { l: url.searchParams.get('l')! })).status).toBe(400);
});

test('account link page: a business completes its account and is submitted for verification', async () => {
  const server = await pageServer();
  const id = await server.hosted();
  const l = (await server.link(id)).searchParams.get('l')!;
  const payout = { 'payout.currency': 'GBP', 'payout.bankId': '000001', 'payout.accountNumber': '00000111' };
  const done = await server.submit('/join', { l, ...businessForm, ...payout });
  expect([done.status, done.headers['location']]).toEqual([303, redirectUrl]);

  const account = await server.account(id);
  expect(account).toMatchObject({
    status: 'VerificationPending',
    actionsRequired: [],
    entityType: 'Business',
    business: { ...wholeBusiness, documents: [{ type: 'BusinessRegistration', status: 'Pending' }] },
    verification: { status: 'PendingVerification', persons: { status: 'PendingVerification', required: [] } },
    termsOfService: { acceptance: { ipAddress: '127.0.0.1', userAgent: 'A browser' } },
  });
  expect(await server.persons(id)).toMatchObject([
    {
      ...representative,
      businessRoles: ['BusinessContact', 'Director', 'UltimateBeneficialOwner'],
      documents: [{ type: 'Passport', country: 'GB', status: 'Pending' }],
    },
  ]);
  expect((await server.open(`/join?l=${l}`)).status).toBe(404);
  expect((await server.submit('/join', { l, ...businessForm })).status).toBe(404);
});

test('account link page: each step is checked when it is left, and everything at the end', async () => {
  const server = await pageServer();
  const id = await server.hosted();
  const l = (await server.link(id)).searchParams.get('l')!;
  const heading = async (fields: Record<string, string>) => {
    const { status, text } = await server.submit('/join', { l, ...fields });
    return [status, /<h1>(.*)<\/h1>/.exec(text)?.[1], /Step \d of \d/.exec(text)?.[0]];
  };
  const { terms, documents: _documents, ...first } = businessForm;
  expect(await heading({ as: 'Business', step: '0' })).toEqual([
    400,
    'Tell us about your business',
    'Step 1 of 5',
  ]);
  expect(await heading({ ...first, step: '0' })).toEqual([200, 'Tell us about yourself', 'Step 2 of 5']);
  expect(await heading({ ...first, step: '2' })).toEqual([400, 'Add your documents', 'Step 3 of 5']);
  const rest = { ...first, documents: 'good' };
  expect(await heading({ ...rest, step: '3' })).toEqual([200, 'Check your answers', 'Step 5 of 5']);
  expect(await heading({ ...rest, step: '4' })).toEqual([400, 'Check your answers', 'Step 5 of 5']);
  expect(await heading({ ...rest, step: '4', show: '1' })).toEqual([
    200,
    'Tell us about yourself',
    'Step 2 of 5',
  ]);
  const wrong = { ...rest, 'person.firstName': '', terms: 'yes' };
  expect(await heading({ ...wrong, step: '4' })).toEqual([400, 'Tell us about yourself', 'Step 2 of 5']);
  expect((await server.persons(id)).length).toBe(0);
  expect((await server.submit('/join', { l, ...rest, terms, step: '4' })).status).toBe(303);
});

test('account link page: an individual completes an account with a few answers', async () => {
  const server = await pageServer();
  const id = await server.hosted();
  const l = (await server.link(id)).searchParams.get('l')!;
  expect((await server.submit('/join', { l, ...individualForm })).status).toBe(303);
  expect(await server.account(id)).toMatchObject({
    status: 'ActionRequired',
    actionsRequired: [{ action: 'PayoutMethodRequired' }],
    entityType: 'Individual',
    email: 'ana@corner.example',
    individual: { firstName: 'Ana', nationalities: ['GB'] },
    verification: { status: 'NotRequired' },
  });
});

test('account link page: known values are filled in, and not asked for again', async () => {
  const server = await pageServer();
  const id = await server.hosted({
    entityType: 'Business',
    business: { ...business, name: '<b>"Corner"</b>' },
  });
  await server.call(`POST /v1/accounts/${id}/persons`, {
    body: { ...person, businessRoles: ['Director', 'UltimateBeneficialOwner'] },
  });
  const url = await server.link(id);
  const { text } = await server.open(url);
  expect(text).toContain('value="&lt;b&gt;&quot;Corner&quot;&lt;/b&gt;"');
  expect(text).not.toContain('<b>"');
  expect(text).toContain('name="person.firstName"');

  const l = url.searchParams.get('l')!;
  expect((await server.submit('/join', { l, ...businessForm })).status).toBe(303);
  const persons = await server.persons(id);
  expect(persons.map((one: { businessRoles: string[] }) => one.businessRoles)).toEqual([
    ['BusinessContact'],
    ['Director', 'UltimateBeneficialOwner'],
  ]);
  expect((await server.account(id)).verification.status).toBe('PendingVerification');

  const again = await server.open(await server.link(id));
  expect(again.text).not.toContain('name="person.firstName"');
});

test.each([
  [{ terms: '' }, 'The terms of service have to be accepted'],
  [{ 'business.name': ' ' }, 'Registered name is needed'],
  [{ 'business.phoneNumber': 'ask me' }, 'does not look right'],
  [{ 'business.registeredAddress.country': 'Britain' }, 'does not look right'],
  [{ 'business.registrationDate': '2015-02-31' }, 'does not look right'],
  [{ 'business.type': 'Pub' }, 'is not offered'],
  [{ 'person.nationalities': 'GB, Irish' }, 'does not look right'],
  [{ 'person.firstName': '' }, 'is needed'],
  [{ documents: '' }, 'is needed'],
  [{ 'payout.currency': 'XXX', 'payout.accountNumber': '1' }, 'is not offered'],
  [{ 'payout.currency': 'GBP' }, 'is needed'],
  [{ 'payout.accountNumber': '00000111' }, 'is needed'],
  [
    { 'payout.currency': 'GBP', 'payout.bankId': '1', 'payout.accountNumber': '00000111' },
    'Sort code or routing number must have 6 digits',
  ],
  [{ 'business.name': 'a\u0000b' }, 'must not contain the character U+0000'],
])('account link page: a form with %j is shown again, and nothing has changed', async (change, message) => {
  const server = await pageServer();
  const id = await server.hosted();
  const before = await server.account(id);
  const l = (await server.link(id)).searchParams.get('l')!;
  const { status, text } = await server.submit('/join', { l, ...businessForm, ...change });
  expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  expect(text).toContain('value="01234567"');
  expect(await server.account(id)).toEqual(before);
  expect(await server.persons(id)).toEqual([]);
  expect((await server.submit('/join', { l, ...businessForm })).status).toBe(303);
});

test('account link page: of two concurrent submissions one completes the account', async () => {
  const server = await pageServer();
  const l = (await server.link(await server.hosted())).searchParams.get('l')!;
  const both = await Promise.all([1, 2].map(() => server.submit('/join', { l, ...businessForm })));
  expect(both.map(({ status }) => status).sort()).toEqual([303, 404]);
});

test(
  'POST /accounts/authorize: the holder of an account allows the platform to act for it',
  { tags: ['spec:4.3/POST/accounts/authorize'] },
  async () => {
    const server = await pageServer();
    const id = await server.hosted({ entityType: 'Individual', individual });
    const body = { email: individual.email.toUpperCase(), redirectUrl };
    const made = await server.call('POST /v1/accounts/authorize', { body });
    expect([made.status, made.body.url]).toEqual([200, expect.stringMatching(/\/signin\?atl=[\w-]{32}$/)]);
    expect(made.body.expiresTimestamp - made.body.createdTimestamp).toBe(7_200);

    const page = await server.open(made.body.url);
    expect(page.text).toContain('ana@corner.example');
    expect(page.text).toContain('Tapbench Platform');
    const atl = new URL(made.body.url).searchParams.get('atl')!;
    const agreed = await server.submit('/signin', { atl });
    expect([agreed.status, agreed.headers['location']]).toEqual([303, redirectUrl]);
    expect((await server.open(made.body.url)).status).toBe(404);
    expect(await server.account(id)).toMatchObject({ entityType: 'Individual' });
  },
);

test.each([
  [{ email: 'nobody@corner.example', redirectUrl }, 404, 'not_found'],
  [{ email: 'nobody', redirectUrl }, 400, 'invalid_field'],
  [{ email: 'shop@example.com', redirectUrl }, 404, 'not_found'],
  [{ email: 'nobody@corner.example', redirectUrl: 'javascript:alert(1)' }, 400, 'invalid_field'],
])('POST /accounts/authorize: refuses %j', async (body, status, code) => {
  const server = await pageServer();
  const answer = await server.call('POST /v1/accounts/authorize', { body });
  expect([answer.status, answer.body.errors[0].code]).toEqual([status, code]);
});

test('account link page: a link opens its own page only, and no page opens without a link', async () => {
  const server = await pageServer();
  const l = (await server.link(await server.hosted())).searchParams.get('l')!;
  for (const path of [`/signin?atl=${l}`, '/join', '/signin', '/join?l=al_none', '/join?l=']) {
    const { status, text } = await server.open(path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).toContain('This link is not good any more');
  }
});
