import { expect, test } from 'vitest';
import { declaredApi } from '../../../cli/compare/declared-api.ts';
import { compareRuns, createKnownOfBoth } from '../../../cli/compare/judge/compare-runs.ts';
import { judgeComparison, type ScenarioResult } from '../../../cli/compare/result.ts';
import type { ScenarioRun } from '../../../cli/compare/run-scenario.ts';
import type { Scenario } from '../../../cli/compare/scenario.ts';
import { openApiDocument } from '../../../server/platform/http/openapi/openapi.ts';
import { ROUTES } from '../../../server/routes.ts';

const API = declaredApi(openApiDocument(ROUTES));
const NOW = 1_800_000_000;
const [HERE, THERE] = ['01JGXDFAM0Y2QZJP0SHDFV20F9', '01JH0000000000000000000001'];

interface Reply {
  status?: number;
  body: unknown;
}

/** Runs of a scenario at two servers, from what each call got. */
function compare(calls: string[], here: Reply[], there: Reply[], sent: string[] = []) {
  const scenario: Scenario = {
    name: 'payments/mine',
    title: 'T',
    rules: ['4.1/mine'],
    choices: [],
    steps: calls.map((call) => ({ call })),
  };
  const runOf = (replies: Reply[], unique: string): ScenarioRun => ({
    unique,
    startTimestamp: NOW - 10,
    stopped: undefined,
    replies: new Map(),
    observations: replies.map(({ status = 200, body }, step) => ({
      step,
      came: true,
      atTimestamp: NOW,
      sentTexts: sent,
      reply: { status, body, serverTime: undefined },
    })),
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

const difference = {
  step: 0,
  operation: 'GET /a',
  kind: 'value',
  member: 'x',
  here: '1',
  there: '2',
  extension: null,
  isUnknown: false,
};
const result = (name: string, parts: Partial<ScenarioResult>): ScenarioResult => ({
  name,
  title: name,
  rules: [],
  choices: [],
  notShown: null,
  ...parts,
  differences: (parts.differences ?? []).map((one) => ({ ...one, scenario: name })),
});
const judged = (...results: ScenarioResult[]) =>
  judgeComparison({ version: '1', to: 'https://a', startedTimestamp: 0, scenarios: results.length, results });
const differing = [{ ...difference, scenario: '' }];

test('places: a difference belongs to the choice, else the rule, that all scenarios with it show, else to the documents', () => {
  const placeOf = (...results: ScenarioResult[]) => judged(...results).differences.map(({ place }) => place);
  const [both, rule] = [{ rules: ['r'], choices: ['m#a'] }, { rules: ['r'] }];
  expect(placeOf(result('a', { ...both, differences: differing }))).toEqual(['choice']);
  expect(
    placeOf(
      result('a', { ...both, differences: differing }),
      result('b', { ...rule, differences: differing }),
    ),
  ).toEqual(['rule']);
  expect(
    placeOf(result('a', { ...both, differences: differing }), result('b', { differences: differing })),
  ).toEqual(['fact']);
  const ofOurs = { ...difference, kind: 'missing', extension: 'rate-fees', scenario: '' };
  expect(placeOf(result('a', { ...both, differences: [ofOurs] }))).toEqual(['extension']);
  const ofTheirs = { ...difference, kind: 'added', here: 'absent', isUnknown: true, scenario: '' };
  expect(placeOf(result('a', { ...both, differences: [ofTheirs] }))).toEqual(['new']);
});

test('places: what no choice decides is a broken rule, also where its scenarios show a choice', () => {
  const both = { rules: ['r'], choices: ['m#a'] };
  const placeOf = (changes: object) =>
    judged(result('a', { ...both, differences: [{ ...difference, scenario: '', ...changes }] }))
      .differences[0]!.place;
  expect(placeOf({ kind: 'status', here: '403', there: '200' })).toBe('rule');
  expect(placeOf({ kind: 'status', here: '403', there: '404' })).toBe('choice');
  expect(placeOf({ kind: 'time' })).toBe('rule');
  expect(placeOf({ kind: 'identity' })).toBe('rule');
  expect(placeOf({ kind: 'value' })).toBe('choice');
});

test('choices: what is new at the other server confirms no choice of its scenario', () => {
  const ofTheirs = { ...difference, kind: 'added', here: 'absent', isUnknown: true, scenario: '' };
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
