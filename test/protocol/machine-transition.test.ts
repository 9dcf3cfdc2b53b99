import { expect, test } from 'vitest';
import { assign, initialTransition, setup, transition } from 'xstate';
import { transitionsOf } from '../../protocol/machine-transition.ts';

const machine = setup({
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

const transitions = transitionsOf(machine);
const seen = ([{ value, context, status }, actions]: ReturnType<typeof transitions.initial>) => ({
  value,
  context,
  status,
  actions: actions.map(({ type, params }) => ({ type, params })),
});

test('transitionsOf: returns the snapshots and actions that XState returns', () => {
  const ours = [transitions.initial({ coins: 3 })];
  const theirs = [initialTransition(machine, { coins: 3 })];
  for (const event of [{ type: 'push' }, { type: 'coin', worth: 2 }, { type: 'push' }] as const) {
    ours.push(transitions.next(ours.at(-1)![0], event));
    theirs.push(transition(machine, theirs.at(-1)![0], event));
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
