import { createMachine, type AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import { describeMachine } from '../../protocol/machine-shape.ts';
import { SERVER_MACHINES } from '../../server/machines.ts';

const again = (definition: unknown): AnyStateMachine =>
  createMachine(JSON.parse(JSON.stringify(definition)) as object);

test('describeMachine: describes parallel, history and final states and eventless transitions', () => {
  const machine = createMachine({
    id: 'reader',
    type: 'parallel',
    states: {
      slot: {
        initial: 'empty',
        states: {
          empty: { on: { 'card.inserted': 'full' } },
          full: { always: { guard: 'isWorn', target: 'worn' } },
          worn: { type: 'final', tags: 'Failed' },
          back: { type: 'history', history: 'deep', target: 'empty' },
        },
      },
      field: { type: 'parallel', states: { left: {}, right: {} } },
    },
  });
  const described = describeMachine(machine);
  expect(described).toEqual({
    machineId: 'reader',
    definition: {
      id: 'reader',
      type: 'parallel',
      states: {
        slot: {
          initial: 'empty',
          states: {
            empty: { on: { 'card.inserted': [{ target: ['#reader.slot.full'] }] } },
            full: { always: [{ target: ['#reader.slot.worn'], guard: 'isWorn' }] },
            worn: { type: 'final', tags: ['Failed'] },
            back: { type: 'history', history: 'deep', target: 'empty' },
          },
        },
        field: { type: 'parallel', states: { left: {}, right: {} } },
      },
    },
  });
  expect(describeMachine(again(described.definition))).toEqual(described);
});

test.each(SERVER_MACHINES)(
  'describeMachine: a machine made from the description of $machineId has the same description',
  (shape) => {
    expect(describeMachine(again(shape.definition))).toEqual(shape);
    expect(JSON.stringify(shape)).not.toContain('(unnamed)');
  },
);
