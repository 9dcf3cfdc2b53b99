import { expect, test } from 'vitest';
import { memberAt, NotRemembered, resolved } from '../../../cli/compare/references.ts';
import { parseScenario } from '../../../cli/compare/scenario.ts';

const parse = (value: unknown) => parseScenario(JSON.stringify(value), 'payments/mine', 'mine.json');
const CALL = { call: 'GET /customers' };

test('scenario: a file that is wrong is refused with the file and the member', () => {
  expect(() => parseScenario('{', 'a/b', 'a.json')).toThrow('a.json: ');
  expect(() => parse({ title: 'T' })).toThrow('mine.json: steps is required');
  expect(() => parse({ title: 'T', steps: [CALL, { wait: 1 }] })).toThrow(
    'mine.json: steps.1 must have one of: call, until, event, delivery, hand',
  );
  expect(() => parse({ title: 'T', steps: [{ ...CALL, limit: 1 }] })).toThrow('mine.json: steps.0.limit');
  expect(() => parse({ title: 'T', steps: [{ call: 'GET customers' }] })).toThrow('mine.json: steps.0.call');
  expect(() => parse({ title: 'T', choices: ['money'], steps: [CALL] })).toThrow('mine.json: choices.0');
});

test('scenario: where a file shows rules and choices, its steps must say what each choice decides', () => {
  const of = (choice?: unknown, rules = ['4/limit']) =>
    parse({ title: 'T', rules, choices: ['api#pages'], steps: [{ ...CALL, choice }] }).choices;
  expect(() => of()).toThrow('mine.json: a step must say by its choice what api#pages decides');
  expect(() => of('api#null')).toThrow('mine.json: choices must have api#null, which a step names');
  expect(() => of('pages')).toThrow('mine.json: steps.0.choice');
  expect(of('api#pages')).toEqual(['api#pages']);
  expect(of({ paginationToken: 'api#pages' })).toEqual(['api#pages']);
  expect(of(undefined, [])).toEqual(['api#pages']);
});

test('scenario: a file without rules and choices has none of them', () => {
  expect(parse({ title: 'T', steps: [CALL] })).toEqual({
    name: 'payments/mine',
    title: 'T',
    rules: [],
    choices: [],
    steps: [CALL],
  });
});

test('scenario: a text that is one reference keeps the type of what it refers to', () => {
  const replies = new Map<string, unknown>([['list', { items: [{ amount: 12 }] }]]);
  const remembered = { unique: 'abc', now: 1_000, replies };
  const value = { amount: '${list.items.0.amount}', text: 'x-${list.items.0.amount}-${unique}' };
  expect(resolved({ ...value, at: '${now-60}' }, remembered)).toEqual({
    amount: 12,
    text: 'x-12-abc',
    at: 940,
  });
  expect(() => resolved('${list.items.1.amount}', remembered)).toThrow(NotRemembered);
  expect(() => resolved('${list.constructor}', remembered)).toThrow(NotRemembered);
});

test('scenario: the token of a page without a further one is nothing to refer to', () => {
  const replies = new Map<string, unknown>([['list', { items: [], paginationToken: null, total: null }]]);
  const remembered = { unique: 'abc', now: 1_000, replies };
  expect(() => resolved('${list.paginationToken}', remembered)).toThrow('there is no further page');
  expect(resolved('${list.total}', remembered)).toBeNull();
});

test('scenario: an object of base64 JSON becomes its text, and a path looks into such a text', () => {
  const remembered = { unique: 'abc', now: 0, replies: new Map() };
  const text = resolved({ $base64Json: { id: '${unique}' } }, remembered);
  expect(memberAt({ text }, ['text', '$base64Json', 'id'])).toBe('abc');
});
