import type { EventFromLogic, SnapshotFrom } from 'xstate';
import { getAdjacencyMap, getShortestPaths, getStateNodes } from 'xstate/graph';
import { expect, test } from 'vitest';
import { pathOf } from '../../../agent/lifecycle/action-transition.ts';
import { actionMachine } from '../../../agent/lifecycle/action.machine.ts';
import { EFFECTS } from '../../../agent/lifecycle/action-effects.ts';
import type { ActionInput } from '../../../agent/lifecycle/action-events.ts';
import { transitionsOf } from '../../../protocol/machine-step.ts';
import { ActionStatus } from '../../../protocol/messages/action.messages.ts';
import { CHIP, DEVICE_APPROVED, NOW_MS, START, cardOf } from '../agent-fixture.ts';
import { FINALS, IGNORED } from './ignored-events.ts';

type Snapshot = SnapshotFrom<typeof actionMachine>;
type Event = EventFromLogic<typeof actionMachine>;

const atMs = NOW_MS;
const copies = ['merchantCopy', 'customerCopy'] as const;

/** Every event, in each form that the machine distinguishes. */
const EVENTS: Event[] = [
  { type: 'card.missing', atMs },
  { type: 'card.presented', entryMode: 'Contact', atMs },
  { type: 'card.read', card: cardOf('Contactless'), pin: 'none', atMs },
  { type: 'card.read', card: cardOf('Contactless'), pin: 'pin', atMs },
  { type: 'card.read', card: cardOf('Contact'), pin: 'pin', atMs },
  { type: 'card.read', card: cardOf('Swipe'), pin: 'none', atMs },
  { type: 'card.read', card: cardOf('Wallet'), pin: 'onDevice', atMs },
  { type: 'card.read', card: cardOf('Contact'), pin: 'none', chip: CHIP, atMs },
  { type: 'card.unreadable', reason: 'mute', atMs },
  { type: 'card.declined', reason: 'the card says no', atMs },
  { type: 'card.removed', atMs },
  { type: 'pin.entered', atMs },
  { type: 'pin.accepted', atMs },
  { type: 'pin.rejected', triesLeft: 1, atMs },
  { type: 'pin.rejected', triesLeft: 0, atMs },
  { type: 'pin.accepted', method: 'OnlinePin', chip: CHIP, atMs },
  { type: 'card.completed', atMs },
  { type: 'card.refused', reason: 'the card says no', atMs },
  { ...DEVICE_APPROVED, atMs },
  { type: 'device.declined', reason: 'the bank says no', atMs },
  { type: 'device.ready', atMs },
  { type: 'device.unknown', reason: 'no answer', atMs },
  { type: 'device.reversed', atMs },
  { type: 'device.reversalFailed', reason: 'unplugged', atMs },
  { type: 'cancel.pressed', atMs },
  { type: 'reader.failed', reason: 'unplugged', atMs },
  { type: 'deadline.passed', atMs },
  { type: 'issuer.approved', authorisationCode: '123456', atMs },
  { type: 'issuer.declined', code: 'insufficient_funds', atMs },
  ...copies.map((copy): Event => ({ type: 'copy.printed', copy, atMs })),
  ...copies.map((copy): Event => ({ type: 'copy.failed', copy, reason: 'noPaper', atMs })),
  ...copies.map((copy): Event => ({ type: 'receipt.confirmed', copy, status: 'Succeeded', atMs })),
  ...copies.map((copy): Event => ({ type: 'receipt.confirmed', copy, status: 'Failed', atMs })),
  { type: 'action.repeated', atMs },
  { type: 'report.requested', atMs },
  { type: 'authorisation.overdue', atMs },
  { type: 'action.cancelled', atMs },
  { type: 'action.ended', status: 'Succeeded', atMs },
  { type: 'action.ended', status: 'Failed', code: 'timeout', atMs },
  { type: 'action.ended', status: 'Cancelled', atMs },
  { type: 'inquiry.sent', atMs },
  { type: 'power.returned', atMs },
];
const EVENT_TYPES = [...new Set(EVENTS.map((event) => event.type))];

const INPUTS: ActionInput[] = (['Payment', 'Refund'] as const).flatMap((type) =>
  (['Terminal', 'PointOfSale'] as const).map((receiptPrintingSource) => ({
    start: { ...START, type, receiptPrintingSource },
    atMs,
  })),
);

/** Serialises what guards depend on, so that snapshots with the same transitions count as one. */
function sameness({ value, context }: Snapshot): string {
  const { unreadableCards, card, chip, device } = context;
  return JSON.stringify([value, unreadableCards, card?.entryMode, chip !== null, device !== null]);
}

const OPTIONS = {
  events: EVENTS,
  serializeState: sameness,
  stopWhen: (snapshot: Snapshot) => snapshot.status === 'done',
};

function walk(input: ActionInput): Snapshot[] {
  const visited = getAdjacencyMap(actionMachine, { ...OPTIONS, input });
  return Object.values(visited).map((node) => node.state);
}

const WALKED: Snapshot[] = INPUTS.flatMap(walk);
const ACTIVE = WALKED.filter((snapshot) => snapshot.status === 'active');
const LEAVES = [...new Set(WALKED.map(pathOf))];

test('action machine: every state handles every event, or ignores it for a reason', () => {
  const unexplained: string[] = [];
  const stale = new Set<string>();
  for (const state of LEAVES) {
    const snapshots = ACTIVE.filter((snapshot) => pathOf(snapshot) === state);
    for (const type of EVENT_TYPES) {
      const forms = EVENTS.filter((event) => event.type === type);
      const handled = snapshots.some((snapshot) => forms.some((event) => snapshot.can(event)));
      const reasons = IGNORED.filter(
        ({ events, states }) => (events === 'all' || events.includes(type)) && states.includes(state),
      );
      if (!handled && reasons.length === 0) unexplained.push(`${state} by ${type}`);
      if (handled && reasons.length > 0)
        stale.add(`${state} by ${type} is handled, not: ${reasons[0]!.because}`);
      if (reasons.length > 1) stale.add(`${state} by ${type} has two reasons`);
    }
  }
  expect(unexplained).toEqual([]);
  expect([...stale]).toEqual([]);
});

test('action machine: the table of ignored events has only existing states', () => {
  expect(IGNORED.flatMap((line) => line.states).filter((state) => !LEAVES.includes(state))).toEqual([]);
});

test('action machine: every declared state is reachable', () => {
  const declared = getStateNodes(actionMachine)
    .filter((node) => node.type === 'atomic' || node.type === 'final')
    .map((node) => node.path.join('.'));
  expect([...LEAVES].sort()).toEqual([...declared].sort());
});

const PATHS = INPUTS.map((input) => getShortestPaths(actionMachine, { ...OPTIONS, input }));

test.each(FINALS)('action machine: only action.ended leads to %s', (final) => {
  for (const all of PATHS) {
    const paths = all.filter(({ state }) => pathOf(state) === final);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(path.steps.at(-1)?.event.type).toBe('action.ended');
  }
});

test('action machine: one event of the server ends the action from every state', () => {
  for (const snapshot of ACTIVE.filter((state) => !pathOf(state).startsWith('reversingAtDevice'))) {
    for (const status of ['Succeeded', 'Failed', 'Cancelled'] as const) {
      const ended = after(snapshot, { type: 'action.ended', status, atMs }).snapshot;
      const first = snapshot.context.device && status !== 'Succeeded' ? 'reversingAtDevice.' : '';
      expect(pathOf(ended)).toBe(first + status.toLowerCase());
    }
    const cancelled = after(snapshot, { type: 'action.cancelled', atMs });
    expect([...cancelled.snapshot.tags]).toEqual(['Cancelled']);
  }
});

test('action machine: reverses an approval of a device before the action ends', () => {
  const held = ACTIVE.filter(({ context }) => context.device !== null);
  expect(held.length).toBeGreaterThan(0);
  for (const snapshot of held) {
    if (pathOf(snapshot).startsWith('reversingAtDevice')) {
      expect(after(snapshot, { type: 'power.returned', atMs }).effects).toContain('reverseAfterPowerCut');
      continue;
    }
    const ended = after(snapshot, { type: 'action.ended', status: 'Failed', atMs });
    expect(ended.effects).toContain('reverseAtDevice');
    const again = after(ended.snapshot, { type: 'action.ended', status: 'Failed', atMs });
    expect(pathOf(again.snapshot)).toBe('reversingAtDevice.failed');
    expect(pathOf(after(again.snapshot, { type: 'device.reversed', atMs }).snapshot)).toBe('failed');
  }
});

test('action machine: every state has exactly one status of the API', () => {
  for (const snapshot of WALKED) {
    const tags = [...snapshot.tags];
    expect(tags).toHaveLength(1);
    expect(ActionStatus.enum).toContain(tags[0]);
  }
});

test('action machine: every state but the final ones has a deadline', () => {
  for (const snapshot of WALKED) {
    expect(snapshot.context.deadlineMs === null).toBe(FINALS.includes(pathOf(snapshot)));
  }
});

test('action machine: a passed deadline changes the state, or asks the server or the device again', () => {
  for (const snapshot of ACTIVE) {
    const next = after(snapshot, { type: 'deadline.passed', atMs: snapshot.context.deadlineMs! });
    const moved = pathOf(next.snapshot) !== pathOf(snapshot);
    const asked = next.effects.some((effect) => ['sendInquiry', 'reverseAtDevice'].includes(effect));
    expect(moved || asked).toBe(true);
    expect(next.snapshot.context.deadlineMs).toBeGreaterThan(snapshot.context.deadlineMs!);
  }
});

test('action machine: names exactly the effects that are implemented', () => {
  const seen = new Set(
    ACTIVE.flatMap((snapshot) => EVENTS.flatMap((event) => after(snapshot, event).effects)),
  );
  expect([...seen].sort()).toEqual(Object.keys(EFFECTS).sort());
});

test('action machine: has no timers and invokes nothing, so it restores from a snapshot', () => {
  for (const node of getStateNodes(actionMachine)) {
    expect(node.after).toEqual([]);
    expect(node.invoke).toEqual([]);
  }
});

test('action machine: every snapshot is the same after JSON and back', () => {
  for (const snapshot of ACTIVE) {
    const kept = JSON.parse(JSON.stringify(actionMachine.getPersistedSnapshot(snapshot))) as Snapshot;
    const restored = actionMachine.resolveState(kept);
    expect([pathOf(restored), restored.status]).toEqual([pathOf(snapshot), snapshot.status]);
    expect(restored.context).toEqual(snapshot.context);
    expect(actionMachine.getPersistedSnapshot(restored)).toEqual(
      actionMachine.getPersistedSnapshot(snapshot),
    );
  }
});

test('action machine: does not request authorisation again after a decision', () => {
  const decided = ACTIVE.filter((state) => /^(approved|declined)/.test(pathOf(state)));
  const effects = decided.flatMap((snapshot) => EVENTS.flatMap((event) => after(snapshot, event).effects));
  expect(effects).not.toHaveLength(0);
  expect(effects).not.toContain('requestAuthorisation');
});

test('action machine: no chip data outlives its action, also when the end comes before the decision', () => {
  const withChip = ACTIVE.filter(({ context }) => context.chip !== null);
  expect(new Set(withChip.map(pathOf))).toContain('authorising');
  for (const snapshot of withChip)
    for (const status of ['Succeeded', 'Failed', 'Cancelled'] as const)
      expect(after(snapshot, { type: 'action.ended', status, atMs }).snapshot.context.chip).toBeNull();
});

const transitions = transitionsOf(actionMachine);

/** Returns the snapshot and effects after one event. */
function after(snapshot: Snapshot, event: Event): { snapshot: Snapshot; effects: string[] } {
  const [next, actions] = transitions.next(snapshot, event);
  return { snapshot: next, effects: actions.map(({ type }) => type) };
}
