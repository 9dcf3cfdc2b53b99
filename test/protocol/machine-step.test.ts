import { expect, test } from 'vitest';
import { assign, initialTransition, setup, transition } from 'xstate';
import { statusOf, stepsOf, transitionsOf } from '../../protocol/machine-step.ts';

const turnstile = setup({
  types: {
    context: {} as { coins: number },
    input: {} as { coins: number },
    events: {} as { type: 'coin'; worth: number } | { type: 'push' },
  },
  actions: {
    count: assign({
      coins: ({ context, event }) => context.coins + (event.type === 'coin' ? event.worth : 0),
    }),
    beep: () => {},
    click: (_args, _params: { times: number }) => {},
  },
}).createMachine({
  id: 'turnstile',
  context: ({ input }) => ({ coins: input.coins }),
  entry: 'beep',
  initial: 'locked',
  states: {
    locked: { on: { coin: { target: 'open', actions: ['count', 'beep'] } } },
    open: { on: { push: { target: 'passed', actions: { type: 'click', params: { times: 2 } } } } },
    passed: { type: 'final' },
  },
});

const transitions = transitionsOf(turnstile);
const seen = ([{ value, context, status }, actions]: ReturnType<typeof transitions.initial>) => ({
  value,
  context,
  status,
  actions: actions.map(({ type, params }) => ({ type, params })),
});

test('transitionsOf: returns the snapshots and actions that XState returns', () => {
  const ours = [transitions.initial({ coins: 3 })];
  const theirs = [initialTransition(turnstile, { coins: 3 })];
  for (const event of [{ type: 'push' }, { type: 'coin', worth: 2 }, { type: 'push' }] as const) {
    ours.push(transitions.next(ours.at(-1)![0], event));
    theirs.push(transition(turnstile, theirs.at(-1)![0], event));
  }
  expect(ours.map(seen)).toEqual(theirs.map(seen));
  expect(seen(ours.at(-1)!)).toEqual({
    value: 'passed',
    context: { coins: 5 },
    status: 'done',
    actions: [{ type: 'click', params: { times: 2 } }],
  });
});

test('transitionsOf: keeps nothing from one transition to the next', () => {
  const [first] = transitions.initial({ coins: 0 });
  const [second] = transitions.initial({ coins: 10 });
  transitions.next(first, { type: 'coin', worth: 1 });
  expect(seen(transitions.next(second, { type: 'coin', worth: 1 }))).toMatchObject({
    context: { coins: 11 },
    actions: [{ type: 'beep' }],
  });
  expect(first.context).toEqual({ coins: 0 });
});

const machine = setup({
  types: {
    context: {} as { coins: number },
    input: {} as { coins: number },
    events: {} as { type: 'coin' } | { type: 'push' } | { type: 'look' },
    tags: {} as 'Locked' | 'Open',
  },
  actions: {
    count: assign({ coins: ({ context }) => context.coins + 1 }),
    click: (_args, _params: { times: number }) => {},
    beep: () => {},
  },
}).createMachine({
  id: 'turnstile',
  context: ({ input }) => input,
  initial: 'locked',
  states: {
    locked: { tags: 'Locked', on: { coin: { target: 'open.wide', actions: ['count', 'beep'] } } },
    open: {
      initial: 'wide',
      states: { wide: { tags: 'Open' } },
      on: { push: { target: 'locked', actions: { type: 'click', params: { times: 2 } } } },
    },
  },
});

const step = stepsOf(machine, { effects: ['click', 'beep'] });

test('stepsOf: returns the state as a path, the status from its tag, the context, and the effects in order', () => {
  expect(step({ state: 'locked', context: { coins: 3 } }, { type: 'coin' })).toEqual({
    state: 'open.wide',
    status: 'Open',
    context: { coins: 4 },
    effects: [{ type: 'beep' }],
    done: false,
  });
  expect(step({ state: 'open.wide', context: { coins: 4 } }, { type: 'push' })).toMatchObject({
    state: 'locked',
    effects: [{ type: 'click', params: { times: 2 } }],
  });
});

test('stepsOf: returns undefined for an event that changes nothing', () => {
  expect(step({ state: 'locked', context: { coins: 0 } }, { type: 'push' })).toBeUndefined();
});

test('stepsOf: throws for a transient state, or an effect that is not listed', () => {
  const stuck = stepsOf(machine, { transient: ['open.wide'], effects: ['click', 'beep'] });
  expect(() => stuck({ state: 'locked', context: { coins: 0 } }, { type: 'coin' })).toThrow('open.wide');
  const mute = stepsOf(machine, { effects: ['click'] });
  expect(() => mute({ state: 'locked', context: { coins: 0 } }, { type: 'coin' })).toThrow('beep');
});

test('statusOf: returns the status of a state', () => {
  expect(statusOf(machine, { state: 'open.wide', context: { coins: 0 } })).toBe('Open');
});
