import { expect, test } from 'vitest';
import { ACTION_MACHINE } from '../../../../agent/inspection.ts';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';
import type { TakenStep } from '../../../../server/dashboard/chart/marks.ts';
import { takenPath } from '../../../../server/dashboard/chart/taken-path.ts';
import { SERVER_MACHINES } from '../../../../server/machines.ts';

const terminal = await layOut(ACTION_MACHINE);
const server = await layOut(SERVER_MACHINES.find(({ machineId }) => machineId === 'serverAction')!);

const DECLINED: TakenStep[] = [
  { event: 'action.started', from: null, state: 'awaitingCard' },
  { event: 'card.read', from: 'awaitingCard', state: 'authorising' },
  { event: 'issuer.declined', from: 'authorising', state: 'declined' },
  { event: 'action.ended', from: 'declined', state: 'failed' },
];

test('takenPath: has the states of the steps in their order, and the transitions between them', () => {
  const { states, arrows } = takenPath(terminal, DECLINED);
  expect(states.map(({ path, tag, final, firstStep }) => ({ path, tag, final, firstStep }))).toEqual([
    { path: 'awaitingCard', tag: 'InProgress', final: false, firstStep: 0 },
    { path: 'authorising', tag: 'InProgress', final: false, firstStep: 1 },
    { path: 'declined', tag: 'Failed', final: false, firstStep: 2 },
    { path: 'failed', tag: 'Failed', final: true, firstStep: 3 },
  ]);
  expect(arrows.map(({ from, to, events }) => [from, events.map(({ event }) => event), to])).toEqual([
    ['awaitingCard', ['card.read'], 'authorising'],
    ['authorising', ['issuer.declined'], 'declined'],
    ['declined', ['action.ended'], 'failed'],
  ]);
});

test('takenPath: names each neighbour of a state once, with the events that lead there', () => {
  const { states } = takenPath(terminal, DECLINED);
  const exits = Object.fromEntries(states.map(({ path, exits: own }) => [path, own.map(({ to }) => to)]));
  expect(exits).toEqual({
    awaitingCard: ['abandoning', 'reading', 'awaitingPin', 'atDevice'],
    // The states of a compound state are one neighbour; `declined` was entered.
    authorising: ['completingCard', 'approved', 'reversing'],
    declined: [],
    failed: [],
  });
  const abandoning = states[0]!.exits.find(({ to }) => to === 'abandoning')!;
  expect(abandoning.events).toContainEqual({ event: 'cancel.pressed', guard: null });
  expect(abandoning.events).toContainEqual({ event: 'card.unreadable', guard: 'isLastUnreadableCard' });
});

test('takenPath: names the transitions that apply in any state by their events', () => {
  expect(takenPath(terminal, DECLINED).anywhere).toEqual([
    { event: 'action.cancelled', to: ['cancelling'] },
    { event: 'action.ended', to: ['reversingAtDevice', 'succeeded', 'cancelled', 'failed'] },
  ]);
});

test('takenPath: shows a state that was entered again once, with the arrow back to it', () => {
  const { states, arrows } = takenPath(terminal, [
    { event: 'action.started', from: null, state: 'awaitingPin' },
    { event: 'pin.entered', from: 'awaitingPin', state: 'verifyingPin' },
    { event: 'pin.rejected', from: 'verifyingPin', state: 'awaitingPin' },
    { event: 'pin.entered', from: 'awaitingPin', state: 'verifyingPin' },
  ]);
  expect(states.map(({ path }) => path)).toEqual(['awaitingPin', 'verifyingPin']);
  expect(arrows.map(({ from, to }) => [from, to])).toEqual([
    ['awaitingPin', 'verifyingPin'],
    ['verifyingPin', 'awaitingPin'],
  ]);
  expect(arrows[0]!.events).toEqual([{ event: 'pin.entered', guard: null, firstStep: 1 }]);
});

test('takenPath: an event handled without leaving the state belongs to the state', () => {
  const { states, arrows } = takenPath(terminal, [
    { event: 'action.started', from: null, state: 'approved.completing' },
    { event: 'inquiry.sent', from: 'approved.completing', state: 'approved.completing' },
  ]);
  expect(states[0]).toMatchObject({
    name: 'completing',
    within: 'approved',
    handled: [{ event: 'inquiry.sent', firstStep: 1 }],
    exits: [{ to: 'reversing', events: [{ event: 'reader.failed', guard: null }] }],
  });
  expect(arrows).toEqual([]);
});

test('takenPath: goes through the transient states of a step', () => {
  const { states, arrows } = takenPath(server, [
    { event: 'issuer.approved', from: 'awaitingCard', state: 'printing' },
  ]);
  expect(states.map(({ path }) => path)).toEqual(['awaitingCard', 'approved', 'printing']);
  expect(arrows.map(({ events }) => events[0]!.event)).toEqual(['issuer.approved', 'always']);
});

test('takenPath: a step that the machine does not describe is an arrow with its event', () => {
  const { states, arrows } = takenPath(terminal, [
    { event: 'reader.exploded', from: 'reading', state: 'nowhere' },
  ]);
  expect(states.map(({ path, name }) => [path, name])).toEqual([
    ['reading', 'reading'],
    ['nowhere', 'nowhere'],
  ]);
  expect(arrows).toEqual([
    { from: 'reading', to: 'nowhere', events: [{ event: 'reader.exploded', guard: null, firstStep: 0 }] },
  ]);
});

test('takenPath: has the states and events of the steps when nothing describes the machine', () => {
  const { states, arrows, anywhere } = takenPath({ states: [], transitions: [] }, [
    ...DECLINED.slice(0, 2),
    { event: 'issuer.approved', from: 'authorising', state: 'approved.printing' },
  ]);
  expect(states.map(({ name, within, exits }) => [name, within, exits.length])).toEqual([
    ['awaitingCard', '', 0],
    ['authorising', '', 0],
    ['printing', 'approved', 0],
  ]);
  expect(arrows.map(({ events }) => events[0]!.event)).toEqual(['card.read', 'issuer.approved']);
  expect(anywhere).toEqual([]);
});
