import { expect, test } from 'vitest';
import { declaredApi } from '../../../cli/compare/declared-api.ts';
import { compareRuns, createKnownOfBoth } from '../../../cli/compare/judge/compare-runs.ts';
import { judgeComparison, type ScenarioResult } from '../../../cli/compare/result.ts';
import type { ScenarioRun } from '../../../cli/compare/run-scenario.ts';
import type { CallStep, Scenario } from '../../../cli/compare/scenario.ts';
import { openApiDocument } from '../../../server/platform/http/openapi/openapi.ts';
import { ROUTES } from '../../../server/routes.ts';

const API = declaredApi(openApiDocument(ROUTES));
const NOW = 1_800_000_000;
const [HERE, THERE] = ['01JGXDFAM0Y2QZJP0SHDFV20F9', '01JH0000000000000000000001'];

const NO_REQUEST = { method: 'GET', path: '/events', headers: {}, body: undefined, text: '' };

interface Reply {
  status?: number;
  body: unknown;
  contentType?: string;
  times?: number;
}

/** Runs of a scenario at two servers, from what each call got. */
function compare(
  calls: string[],
  here: Reply[],
  there: Reply[],
  sent: string[] = [],
  {
    choice,
    scope = [],
    ...shown
  }: { choice?: CallStep['choice']; scope?: string[] } & Partial<Scenario> = {},
) {
  const scenario: Scenario = {
    name: 'payments/mine',
    title: 'T',
    rules: ['4.1/mine'],
    choices: [],
    steps: calls.map((call) => ({ call, ...(choice !== undefined && { choice }) })),
    ...shown,
  };
  const runOf = (replies: Reply[], unique: string): ScenarioRun => ({
    unique,
    startTimestamp: NOW - 10,
    stopped: undefined,
    replies: new Map(),
    observations: replies.map(
      ({ status = 200, body, contentType = 'application/json', times = 1 }, step) => ({
        step,
        came: true,
        atTimestamp: NOW,
        sentTexts: sent,
        scope: scope.map((text) => text.replaceAll('abcdef', unique)),
        event: { request: NO_REQUEST, eventType: 'E', data: '{}', times },
        reply: { status, body, serverTime: undefined, contentType },
      }),
    ),
  });
  const runs = { here: runOf(here, 'abcdef'), there: runOf(there, 'uvwxyz') };
  return compareRuns(scenario, runs, API, createKnownOfBoth());
}

const customer = (id: string, members: object = {}) => ({
  id: `cus_${id}`,
  email: 'sam-abcdef@example.com',
  createdTimestamp: NOW,
  metadata: {},
  ...members,
});

/** What the judge says of a created customer of which the other server shows some members otherwise. */
function ofCustomer(members: object, sent: string[] = []) {
  const theirs = customer(THERE, { email: 'sam-uvwxyz@example.com', ...members });
  const { differences } = compare(['POST /customers'], [{ body: customer(HERE) }], [{ body: theirs }], sent);
  return differences.map(({ kind, member }) => `${kind} ${member}`);
}

test('judge: another id, another time within a minute and the text of each run are no differences', () => {
  expect(ofCustomer({ createdTimestamp: NOW + 30 })).toEqual([]);
});

test.each([
  ['a time an hour later', { createdTimestamp: NOW + 3_600 }, 'time createdTimestamp'],
  ['a time in milliseconds', { createdTimestamp: NOW * 1_000 }, 'time createdTimestamp'],
  ['a time as text', { createdTimestamp: String(NOW) }, 'type createdTimestamp'],
  ['an id of another kind', { id: `ps_${THERE}` }, 'form id'],
  ['an id in lower case', { id: `cus_${THERE.toLowerCase()}` }, 'form id'],
  ['null in place of a member', { email: null }, 'type email'],
  ['a member that is absent', { metadata: undefined }, 'missing metadata'],
  ['a member that ours does not have', { nickname: 'sam' }, 'added nickname'],
  ['null where ours has nothing', { phoneNumber: null }, 'null phoneNumber'],
  ['a list in place of an object', { metadata: [] }, 'type metadata'],
])('judge: %s is a difference', (_, members, expected) => {
  expect(ofCustomer(members)).toEqual([expected]);
});

test('judge: a code is no id, however long, and is shown as it is', () => {
  const [ours, theirs] = ['declined_do_not_honour', 'insufficient_funds'];
  const { differences } = compare(
    ['POST /payment-sessions/attempt-payment'],
    [{ body: { lastError: ours } }],
    [{ body: { lastError: theirs } }],
  );
  expect(differences).toMatchObject([{ kind: 'value', here: `"${ours}"`, there: `"${theirs}"` }]);
});

test('judge: what a scenario sent must come back as it was', () => {
  expect(ofCustomer({ email: 'SAM@example.com' }, ['sam-abcdef@example.com'])).toEqual(['value email']);
});

test('judge: an id that comes again must be the same one again', () => {
  const calls = ['POST /customers', 'GET /customers/{customerId}'];
  const ours = [{ body: customer(HERE) }, { body: customer(HERE) }];
  const theirs = [THERE, HERE].map((id) => ({ body: customer(id, { email: 'sam-uvwxyz@example.com' }) }));
  const { differences } = compare(calls, ours, theirs);
  expect(differences).toMatchObject([{ step: 1, kind: 'identity', member: 'id' }]);
});

test('judge: of a page only what the run made is compared, in its order', () => {
  const calls = ['POST /customers', 'POST /customers', 'GET /customers'];
  const [first, second] = ['01JGXDFAM0Y2QZJP0SHDFV20FA', '01JGXDFAM0Y2QZJP0SHDFV20FB'];
  const page = (items: unknown[]) => ({ body: { items, paginationToken: null } });
  const own = (ids: string[]) => ids.map((id) => ({ body: customer(id, { email: 'a@b.example' }) }));
  const items = (ids: string[]) => own(ids).map(({ body }) => body);
  const foreign = {
    id: 'cus_01JH00000000000000000000ZZ',
    email: 'other@b.example',
    createdTimestamp: 5,
    lastUpdatedTimestamp: 5,
    metadata: {},
  };
  const ours = [...own([HERE, first]), page(items([first, HERE]))];
  const withOthers = [...own([THERE, second]), page([foreign, ...items([second, THERE])])];
  expect(compare(calls, ours, withOthers).differences).toEqual([]);
  const turned = [...own([THERE, second]), page(items([THERE, second]))];
  expect(compare(calls, ours, turned).differences).toMatchObject([{ kind: 'order', member: 'items' }]);
  const fewer = [...own([THERE, second]), page(items([second]))];
  expect(compare(calls, ours, fewer).differences).toMatchObject([{ kind: 'count', member: 'items' }]);
});

test('judge: items that nothing was known of stand in another order where each has one like it', () => {
  const page = (types: string[]) => ({
    body: { items: types.map((type, index) => ({ id: `txn_${HERE}_0${index}`, type, amount: 5 })) },
  });
  const of = (types: string[]) =>
    compare(['POST /customers'], [page(['Capture', 'Refund'])], [page(types)]).differences;
  expect(of(['Refund', 'Capture'])).toMatchObject([{ kind: 'order' }]);
  expect(of(['Capture', 'Capture'])).toMatchObject([{ kind: 'value', member: 'items.*.type' }]);
});

test('judge: nothing that others made is shown', () => {
  const page = (items: unknown[]) => ({ body: { items, paginationToken: null } });
  const person = { id: `cus_${THERE}`, email: 5, nickname: 'Ana Reid', createdTimestamp: 5, metadata: {} };
  const { differences } = compare(['GET /customers'], [page([])], [page([person])]);
  expect(differences.map(({ kind, member }) => `${kind} ${member}`)).toEqual([
    'type items.*.email',
    'added items.*.nickname',
    'missing items.*.lastUpdatedTimestamp',
  ]);
  expect(JSON.stringify(differences)).not.toContain('Reid');
});

test('judge: the objects of events that others caused may have any members', () => {
  const event = { id: `ev_${THERE}`, eventType: 'Account.created', endpoints: [], createdTimestamp: 5 };
  const page = (items: unknown[]) => ({ body: { items, paginationToken: null } });
  const theirs = [
    {
      ...event,
      data: { id: `cus_${HERE}`, individual: { lastName: 'Reid' } },
      lastUpdatedTimestamp: 5,
      deliveryStatus: 'None',
    },
  ];
  expect(compare(['GET /events'], [page([])], [page(theirs)]).differences).toEqual([]);
});

const refusal = (code: string, message: string, status = '400') => ({
  status: Number(status),
  body: { requestId: '3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11', code: status, errors: [{ code, message }] },
});

test('judge: refusals are compared by status, code and the field that they name, not by their words', () => {
  const ours = refusal('invalid_field', 'customerEmail must be an e-mail address');
  const of = (theirs: Reply) =>
    compare(['POST /payment-sessions'], [ours], [theirs]).differences.map(({ kind }) => kind);
  expect(of(refusal('invalid_field', 'The customer email is not valid'))).toEqual([]);
  expect(of(refusal('invalid_field', 'The currency is not valid'))).toEqual(['fields']);
  expect(of(refusal('bad_request', 'customerEmail is wrong'))).toEqual(['code']);
  expect(of(refusal('invalid_field', 'customerEmail is wrong', '422'))).toEqual(['status']);
});

test('judge: a time without the name of one may be some seconds later', () => {
  const account = (id: string, when: number) => ({ body: { id: `ac_${id}`, terms: { when } } });
  const found = (when: number) =>
    compare(['POST /accounts'], [account(HERE, NOW)], [account(THERE, when)]).differences;
  expect(found(NOW + 2)).toEqual([]);
  expect(found(NOW + 3_600)).toMatchObject([{ kind: 'time' }]);
});

test('judge: a second error beside the first is a difference', () => {
  const ours = refusal('invalid_field', 'amount is required');
  const [error] = ours.body.errors;
  const theirs = { ...ours, body: { ...ours.body, errors: [error, error] } };
  const { differences } = compare(['POST /payment-sessions'], [ours], [theirs]);
  expect(differences).toMatchObject([{ kind: 'count', here: 'a list of 1', there: 'a list of 2' }]);
});

test('judge: a further page at the other server alone is no difference, as its account has more', () => {
  const page = (id: string, paginationToken: string | null) => ({
    body: { items: [customer(id)], paginationToken },
  });
  const calls = ['POST /customers', 'GET /customers'];
  const found = (here: string | null, there: string | null) =>
    compare(
      calls,
      [{ body: customer(HERE) }, page(HERE, here)],
      [{ body: customer(THERE, { email: 'sam-uvwxyz@example.com' }) }, page(THERE, there)],
      ['sam-abcdef@example.com', 'sam-uvwxyz@example.com'],
    ).differences.filter(({ member }) => member === 'paginationToken');
  expect(found(null, `cus_${THERE}`)).toEqual([]);
  expect(found(`cus_${HERE}`, null)).toMatchObject([{ kind: 'type' }]);
});

test('judge: the token of a list that is bounded by a filter of the run says whether it goes on', () => {
  const page = (items: unknown[], paginationToken: string | null) => ({
    body: { items, paginationToken },
  });
  const found = (there: Reply) =>
    compare(
      ['POST /customers', 'GET /customers'],
      [{ body: customer(HERE) }, page([customer(HERE)], null)],
      [{ body: customer(THERE, { email: 'sam-uvwxyz@example.com' }) }, there],
      ['sam-abcdef@example.com', 'sam-uvwxyz@example.com'],
      { scope: ['sam-abcdef@example.com'] },
    ).differences.map(({ kind, member }) => `${kind} ${member}`);
  const theirs = customer(THERE, { email: 'sam-uvwxyz@example.com' });
  const stranger = customer('01JH00000000000000000000ZZ', { email: 'other@b.example', firstName: 'Ana' });
  expect(found(page([theirs], null))).toEqual([]);
  expect(found(page([theirs], `cus_${THERE}`))).toEqual(['type paginationToken']);
  expect(found(page([theirs, stranger], `cus_${THERE}`))).toEqual(['count items']);
  expect(found(page([stranger], null))).toEqual(['count items']);
});

test('judge: a balance in a currency that was asked for must be there', () => {
  const balances = (...currencies: string[]) => ({
    body: { items: currencies.map((currency) => ({ currency, available: { amount: 5 } })) },
  });
  const found = (there: Reply) =>
    compare(['GET /balances'], [balances('GBP', 'EUR')], [there], [], {
      scope: ['GBP', 'EUR'],
    }).differences.filter(({ kind }) => kind === 'count');
  expect(found(balances('USD', 'EUR', 'GBP'))).toEqual([]);
  expect(found(balances('GBP', 'USD'))).toMatchObject([
    { kind: 'count', here: 'one with "EUR"', there: 'none' },
  ]);
});

test('judge: a filter that is ignored shows in what the run made, and in what others made', () => {
  const page = (...items: unknown[]) => ({ body: { items, paginationToken: null } });
  const [mine, theirs] = [customer(HERE), customer(THERE, { email: 'sam-uvwxyz@example.com' })];
  const others = {
    ...customer('01JH00000000000000000000ZZ'),
    email: 'other@b.example',
    lastUpdatedTimestamp: 5,
  };
  const found = (here: Reply, there: Reply, scope: string[] = []) =>
    compare(['POST /customers', 'GET /customers'], [{ body: mine }, here], [{ body: theirs }, there], [], {
      scope,
    }).differences.map(({ kind, member }) => `${kind} ${member}`);
  expect(found(page(), page(others))).toEqual([]);
  expect(found(page(), page(theirs, others))).toEqual(['count items']);
  const file = (id: string, category: string) => ({ ...customer(id), category });
  const ofCategory = (category: string) =>
    compare(['GET /files'], [page(file(HERE, 'Evidence'))], [page(file(THERE, category))], [], {
      scope: ['Evidence'],
    }).differences.filter(({ kind }) => kind === 'value');
  expect(ofCategory('Evidence')).toEqual([]);
  expect(ofCategory('Report')).toMatchObject([{ member: 'items.*.category', there: 'another' }]);
});

test('judge: the token of a page has the form of ours, the id of its last item', () => {
  const page = (id: string, paginationToken: string) => ({
    body: { items: [customer(id)], paginationToken },
  });
  const of = (token: string) =>
    compare(['POST /customers'], [page(HERE, `cus_${HERE}`)], [page(THERE, token)]).differences.filter(
      ({ member }) => member === 'paginationToken',
    );
  expect(of(`cus_${THERE}`)).toEqual([]);
  expect(of('Y3VzXzAx')).toMatchObject([{ kind: 'form', place: 'choice', concerns: ['api#pages'] }]);
});

test('judge: the time at which an object was created is the same to the second when it is read again', () => {
  const calls = ['POST /customers', 'GET /customers/{customerId}'];
  const theirs = { email: 'sam-uvwxyz@example.com' };
  const read = (createdTimestamp: number) =>
    compare(
      calls,
      [{ body: customer(HERE) }, { body: customer(HERE) }],
      [{ body: customer(THERE, theirs) }, { body: customer(THERE, { ...theirs, createdTimestamp }) }],
    ).differences;
  expect(read(NOW)).toEqual([]);
  expect(read(NOW - 5)).toMatchObject([{ step: 1, kind: 'time', member: 'createdTimestamp' }]);
});

test('judge: what a person has filled in is not compared and not shown', () => {
  const account = (id: string, firstName: string, status: string) => ({
    body: { id: `ac_${id}`, individual: { firstName }, status },
  });
  const ASKED = { body: undefined };
  const of = (hand: 'browser' | 'terminal') =>
    compare([], [ASKED, account(HERE, 'Ana', 'A')], [ASKED, account(THERE, 'Eve', 'B')], [], {
      hand,
      steps: [{ hand: 'Open it.' }, { call: 'POST /accounts' }],
    }).differences.map(({ member }) => member);
  expect(of('browser')).toEqual(['status']);
  expect(of('terminal')).toEqual(['individual.firstName', 'status']);
});

test('judge: an event that is recorded twice, and a body of another type of content, differ', () => {
  const of = (changes: object) =>
    compare(['GET /events/{eventId}'], [{ body: {} }], [{ body: {}, ...changes }]).differences;
  expect(of({})).toEqual([]);
  expect(of({ times: 2 })).toMatchObject([{ kind: 'count', here: '1 that say the same', there: '2' }]);
  expect(of({ contentType: 'text/html' })).toMatchObject([{ kind: 'content', there: 'text/html' }]);
});

test('judge: an error without a message is one difference', () => {
  const ours = refusal('invalid_field', 'amount is required');
  const { differences } = compare(['POST /payment-sessions'], [ours], [refusal('invalid_field', '')]);
  expect(differences.map(({ kind, member }) => `${kind} ${member}`)).toEqual(['value errors.*.message']);
});

test('judge: a number of an account is not shown, nor a member whose name may be a secret', () => {
  const theirs = customer(THERE, {
    email: 'sam-uvwxyz@example.com',
    bankAccount: { accountNumber: '00000111' },
    accountNumber: '00000222',
    sk_sandbox_01JGXDFAM0Y2QZJP0SHDFV20F9: 1,
  });
  const found = compare(['POST /customers'], [{ body: customer(HERE) }], [{ body: theirs }]);
  expect(found.differences.map(({ member, there }) => [member, there])).toEqual([
    ['bankAccount', 'an object'],
    ['accountNumber', '<private>'],
    ['<name>', '1'],
  ]);
});

test('judge: where only one server succeeds, what follows is not compared', () => {
  const calls = ['POST /customers', 'GET /customers/{customerId}'];
  const ours = [{ body: customer(HERE) }, { body: customer(HERE) }];
  const { differences } = compare(calls, ours, [
    refusal('bad_request', 'no'),
    refusal('not_found', 'no', '404'),
  ]);
  expect(differences).toMatchObject([{ step: 0, kind: 'status', here: '200', there: '400' }]);
});

test('judge: a result shows no id, e-mail address, account number or secret of the other server', () => {
  const secrets = {
    email: 'eve@other.example',
    iban: 'GB33BUKB20201555555555',
    token: 'whs_Zm9vYmFyYmF6cXV4',
  };
  const theirs = customer(THERE, { metadata: { a: `${secrets.email} ${secrets.iban} ${secrets.token}` } });
  const ours = customer(HERE, { email: 'sam-uvwxyz@example.com', metadata: { a: 'b' } });
  const found = compare(['POST /customers'], [{ body: ours }], [{ body: theirs }], ['b']);
  expect(found.differences).toMatchObject([{ kind: 'value', member: 'metadata.a' }]);
  const text = JSON.stringify(found);
  for (const secret of [...Object.values(secrets), THERE]) expect(text).not.toContain(secret);
});

/** Where a difference of one reply belongs, in a scenario that shows these. */
function placeIn(shown: Parameters<typeof compare>[4], here: Reply, there: Reply) {
  const { differences } = compare(['POST /payment-sessions'], [here], [there], [], shown);
  return differences.map(({ place, concerns }) => [place, ...concerns].join(' '));
}

const BOTH = { rules: ['r'], choices: ['m#a', 'm#b'] };

test.each<[string, Parameters<typeof compare>[4], string]>([
  ['the rules of its scenario', { rules: ['r'] }, 'rule r'],
  ['the choices of a scenario without rules', { rules: [], choices: ['m#a'] }, 'choice m#a'],
  ['the documents, without either', { rules: [] }, 'fact'],
  ['the rules where there are both', BOTH, 'rule r'],
  ['the choice that decides the step', { ...BOTH, choice: 'm#b' }, 'choice m#b'],
  ['the choice that decides the member', { ...BOTH, choice: { status: 'm#b' } }, 'choice m#b'],
  ['the rules where the choice decides another member', { ...BOTH, choice: { amount: 'm#b' } }, 'rule r'],
])('places: a value belongs to %s', (_, shown, expected) => {
  expect(placeIn(shown, { body: { status: 'A' } }, { body: { status: 'B' } })).toEqual([expected]);
});

test('places: of the members that a step names the longest that leads to a difference decides', () => {
  const choice = { terms: 'm#a', 'terms.when': 'm#b' };
  const body = (where: string, when: string) => ({ body: { terms: { where, when } } });
  expect(placeIn({ ...BOTH, choice }, body('A', 'A'), body('B', 'B'))).toEqual(['choice m#a', 'choice m#b']);
});

test('places: how it is refused is of the choice that decides the refusal, that it is refused is of the rule', () => {
  const shown = { ...BOTH, choice: { refusal: 'm#a' } };
  const [ours, accepted] = [refusal('forbidden', 'no', '403'), { body: {} }];
  expect(placeIn(shown, ours, refusal('forbidden', 'no', '401'))).toEqual(['choice m#a']);
  expect(placeIn(shown, ours, refusal('other', 'no', '403'))).toEqual(['choice m#a']);
  expect(placeIn(shown, ours, accepted)).toEqual(['rule r']);
  expect(placeIn(shown, accepted, ours)).toEqual(['choice m#a']);
});

test('places: status codes and error bodies, which the specification does not show, break none of its rules', () => {
  const shown = { rules: ['r'] };
  const ours = refusal('invalid_field', 'amount is required');
  expect(placeIn(shown, ours, refusal('invalid_field', 'amount is required', '422'))[0]).toBe('fact');
  expect(placeIn(shown, ours, refusal('wrong', 'amount is required'))).toEqual(['fact']);
  expect(placeIn(shown, { body: {} }, { body: {}, status: 201 })).toEqual(['fact']);
  expect(placeIn(shown, ours, refusal('invalid_field', 'no'))).toEqual(['rule r']);
  expect(placeIn(shown, ours, { body: {} })).toEqual(['rule r']);
});

test.each<[string, object, object, string]>([
  ['a time as text', { paidTimestamp: NOW }, { paidTimestamp: 'now' }, 'rule 2.1/timestamps'],
  ['an id of another kind', { id: `ps_${HERE}` }, { id: `pay_${THERE}` }, 'rule 2.1/id-prefixes'],
  ['a fraction of an amount', { amount: 5 }, { amount: 5.5 }, 'rule 2.1/amounts'],
  ['a list without items', { items: [] }, {}, 'rule 2.1/list-shape'],
  ['a client secret', {}, { clientSecret: 'a' }, 'rule 2.2/client-secret-private'],
  ['the number of an account', {}, { accountNumber: '1' }, 'rule 2.5/account-number-private'],
  ['the secret of an endpoint', {}, { secret: 'a' }, 'rule'],
  ['a member that is new', {}, { nickname: 'a' }, 'new'],
])('places: %s is what it is in every scenario', (_, here, there, expected) => {
  for (const shown of [{ rules: ['r'] }, { rules: [], choices: ['m#a'] }, { ...BOTH, choice: 'm#a' }]) {
    const { differences } = compare(['POST /customers'], [{ body: here }], [{ body: there }], [], shown);
    expect(differences.map(({ place, concerns }) => [place, ...concerns].join(' '))).toEqual([expected]);
  }
});

test('places: a member that is new refutes the choice that it is not there', () => {
  const shown = { rules: [], choices: ['m#a'], choice: { nickname: 'm#a' } };
  expect(placeIn(shown, { body: {} }, { body: { nickname: 'a' } })).toEqual(['choice m#a']);
});

const difference = {
  step: 0,
  operation: 'GET /a',
  kind: 'value',
  member: 'x',
  here: '1',
  there: '2',
  extension: null,
  isUnknown: false,
  place: 'choice' as const,
  concerns: ['m#b'],
};
const result = (name: string, parts: Partial<ScenarioResult>): ScenarioResult => ({
  name,
  title: name,
  rules: [],
  choices: [],
  notShown: null,
  needs: null,
  ...parts,
  differences: (parts.differences ?? []).map((one) => ({ ...one, scenario: name })),
});
const judged = (...results: ScenarioResult[]) =>
  judgeComparison({ version: '1', to: 'https://a', startedTimestamp: 0, scenarios: results.length, results });
const differing = [{ ...difference, scenario: '' }];

test('places: the same difference in several scenarios is one, and of the documents where they do not agree', () => {
  const of = (...all: { place: 'rule' | 'choice' | 'new'; concerns: string[] }[]) =>
    judged(
      ...all.map((one, index) =>
        result(String(index), { differences: [{ ...difference, scenario: '', ...one }] }),
      ),
    ).differences.map(({ place, concerns, scenarios }) => [place, ...concerns, scenarios.length].join(' '));
  const choice = { place: 'choice' as const, concerns: ['m#a', 'm#b'] };
  expect(of(choice, { ...choice, concerns: ['m#b'] })).toEqual(['choice m#b 2']);
  expect(of(choice, { ...choice, concerns: ['m#c'] })).toEqual(['fact 2']);
  expect(of(choice, { place: 'rule', concerns: ['r'] })).toEqual(['rule r 2']);
  expect(of(choice, { place: 'new', concerns: [] })).toEqual(['fact 2']);
  expect(of({ place: 'new', concerns: [] }, { place: 'new', concerns: [] })).toEqual(['new 2']);
});

test('choices: what is new at the other server confirms no choice of its scenario', () => {
  const ofTheirs = { ...difference, place: 'new' as const, concerns: [], scenario: '' };
  const { choices } = judged(result('a', { choices: ['m#a'], differences: [ofTheirs] }));
  expect(choices).toMatchObject([{ choice: 'm#a', verdict: 'unknown' }]);
});

test('choices: confirmed by a scenario that differs in nothing, refuted by a difference of its own, else unknown', () => {
  const { choices } = judged(
    result('a', { choices: ['m#a'] }),
    result('b', { choices: ['m#b'], differences: differing }),
    result('c', { choices: ['m#c'], notShown: 'no hands' }),
  );
  expect(choices.map(({ choice, verdict }) => [choice, verdict])).toEqual([
    ['m#a', 'confirmed'],
    ['m#b', 'refuted'],
    ['m#c', 'unknown'],
  ]);
});
