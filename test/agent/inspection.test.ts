import { createMachine } from 'xstate';
import { getStateNodes } from 'xstate/graph';
import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../agent/inspection.ts';
import { actionMachine } from '../../agent/lifecycle/action.machine.ts';
import { describeMachine } from '../../protocol/machine-shape.ts';
import { MachineDescribed } from '../../protocol/messages/inspection.messages.ts';

const states = (machine: Parameters<typeof getStateNodes>[0]) =>
  getStateNodes(machine)
    .map(
      (node) =>
        `${node.path.join('.')} ${[...node.tags].join()} ${[...node.transitions.keys()].sort().join()}`,
    )
    .sort();

test('machine description: is JSON and small enough to be retained for each terminal', () => {
  const text = JSON.stringify(ACTION_MACHINE);
  expect(JSON.parse(text)).toEqual(ACTION_MACHINE);
  expect(MachineDescribed.check(ACTION_MACHINE)).toEqual([]);
  expect(text.length).toBeLessThan(16_384);
});

test('machine description: has the states, tags and transitions of the machine', () => {
  const redrawn = createMachine(JSON.parse(JSON.stringify(ACTION_MACHINE.definition)) as object);
  expect(states(redrawn)).toEqual(states(actionMachine));
  expect(describeMachine(redrawn)).toEqual(ACTION_MACHINE);
});

test('machine description: names guards and effects', () => {
  const { definition } = ACTION_MACHINE;
  expect(definition.initial).toBe('awaitingCard');
  expect(definition.states?.['authorising']?.on?.['issuer.approved']).toEqual([
    { target: ['#action.completingCard'], guard: 'cardNeedsCompletion', actions: ['setApproval'] },
    { target: ['#action.approved.printing'], guard: 'terminalPrints', actions: ['setApproval'] },
    { target: ['#action.approved.awaitingMerchantReceipt'], actions: ['setApproval'] },
  ]);
  expect(JSON.stringify(definition)).not.toContain('(unnamed)');
});
