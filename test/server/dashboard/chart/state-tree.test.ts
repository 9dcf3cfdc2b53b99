import { expect, test } from 'vitest';
import { readTree } from '../../../../server/dashboard/chart/state-tree.ts';

const machine = (definition: object) => readTree({ machineId: 'm', definition: { id: 'm', ...definition } });
const transitions = (definition: object) =>
  machine(definition).transitions.map(({ from, event, guard, to, kind }) => ({
    from,
    event,
    guard,
    to,
    kind,
  }));

test('state tree: finds targets as XState writes them', () => {
  const to = (target: string) => [{ target: [target] }];
  const b = { on: { x: to('c'), y: to('#m.d'), z: to('nowhere') } };
  const listed = transitions({
    states: { a: { initial: 'b', states: { b, c: {} }, on: { w: to('.c') } }, d: {} },
  });
  expect(listed.map(({ from, event, to: target }) => `${from} ${event} ${target}`)).toEqual([
    'a w a.c',
    'a.b x a.c',
    'a.b y d',
  ]);
});

test('state tree: guarded transitions of one event to one state are one; the one without a guard is "else"', () => {
  const tree = machine({
    states: {
      a: {
        on: {
          go: [{ target: ['#m.b'], guard: 'one' }, { target: ['#m.b'], guard: 'two' }, { target: ['#m.c'] }],
        },
      },
      b: { on: { go: [{ target: ['#m.c'], guard: 'one' }, { target: ['#m.c'] }] } },
      c: {},
    },
  });
  expect(tree.transitions.map(({ from, guard, otherwise, to }) => ({ from, guard, otherwise, to }))).toEqual([
    { from: 'a', guard: 'one or two', otherwise: false, to: 'b' },
    { from: 'a', guard: null, otherwise: true, to: 'c' },
    { from: 'b', guard: null, otherwise: false, to: 'c' },
  ]);
});

test('state tree: internal, forbidden and inherited transitions are no arrows', () => {
  const listed = transitions({
    on: { reset: [{ target: ['#m.a'] }] },
    states: {
      a: {
        on: {
          tick: [{ actions: ['count'] }],
          noise: [{}],
          again: [{ target: ['#m.a'], reenter: true }],
          go: [{ target: ['#m.b'] }],
        },
      },
      b: { always: [{ target: ['#m.a'], guard: 'done' }] },
    },
  });
  expect(listed.map(({ event, kind }) => `${event}: ${kind}`)).toEqual([
    'reset: listed',
    'tick: stay',
    'noise: ignore',
    'again: arrow',
    'go: arrow',
    'always: arrow',
  ]);
});

test.each([
  ['no object', 'nonsense'],
  ['no object', null],
  ['a list', []],
])('state tree: refuses a description that is %s', (_, definition) => {
  expect(() => readTree({ machineId: 'm', definition })).toThrow(/has no states/);
});

test('state tree: ignores properties of the wrong type', () => {
  const tree = machine({ states: { a: { on: 7, tags: {}, states: [], always: 'b' }, b: null }, initial: {} });
  expect(tree.states.map(({ path }) => path)).toEqual(['', 'a']);
  expect(tree.transitions).toEqual([]);
});

test('state tree: refuses a machine that is too large to draw', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s${at}`, {}]));
  expect(() => machine({ states: many })).toThrow(/too many states/);
  const on = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`e${at}`, [{ target: ['#m.b'] }]]));
  expect(() => machine({ states: { a: { on }, b: {} } })).toThrow(/too many transitions/);
  const deep = Array.from({ length: 20 }).reduce<object>((inside) => ({ states: { a: inside } }), {});
  expect(() => machine(deep)).toThrow(/too many states/);
});

test('state tree: replaces unsafe characters in names, and shortens long ones', () => {
  const tree = machine({ states: { 'a.b': {}, '': {}, [`l${'o'.repeat(90)}ng`]: {} } });
  expect(tree.states.slice(1).map(({ path }) => path.slice(0, 3))).toEqual(['a·b', '·', 'loo']);
  expect(tree.states[3]!.name).toHaveLength(60);
});
