import { expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import { statusOf, stepsOf } from '../../protocol/machine-step.ts';

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
