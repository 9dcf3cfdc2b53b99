import { effect } from '@preact/signals';
import { expect, test } from 'vitest';
import { createPageState } from '../../../../server/dashboard/page/page-state.ts';
import type { FleetTerminal, LiveMessage } from '../../../../server/dashboard/view.ts';
import { madeAction, madeEntry, madeTerminal } from './fixtures.ts';

const clock = { nowMs: 0, offsetMs: 0 };
const hello = (terminals: FleetTerminal[]): LiveMessage => ({
  type: 'hello',
  clock,
  mode: 'sandbox',
  terminals,
  version: '1',
});

function greeted(terminals: FleetTerminal[]) {
  const state = createPageState(() => {});
  state.apply([hello(terminals)]);
  return state;
}

test('page state: terminals are in the order of their names, numbers as numbers', () => {
  const state = greeted(
    ['Till 10', 'Till 9', 'Bar'].map((name, index) => madeTerminal({ id: `tml_${index}`, name })),
  );
  expect(state.fleet.ids.value).toEqual(['tml_2', 'tml_1', 'tml_0']);
});

test('page state: a change of one terminal redraws that terminal, not the list', () => {
  const state = greeted([madeTerminal({ id: 'a', name: 'A' }), madeTerminal({ id: 'b', name: 'B' })]);
  const drawn = { a: 0, b: 0, list: 0 };
  effect(() => void (state.fleet.get('a')!.value && (drawn.a += 1)));
  effect(() => void (state.fleet.get('b')!.value && (drawn.b += 1)));
  effect(() => void (state.fleet.ids.value && (drawn.list += 1)));
  const acting = madeTerminal({ id: 'a', name: 'A', action: madeAction() });
  state.apply([{ type: 'terminal', terminal: acting }]);
  expect(drawn).toEqual({ a: 2, b: 1, list: 1 });
  expect(state.fleet.counts.value).toEqual({ all: 2, active: 1, failed: 0, offline: 0 });
});

test('page state: a new start and a removal drop the terminals that are gone', () => {
  const state = greeted([madeTerminal({ id: 'a' }), madeTerminal({ id: 'b' }), madeTerminal({ id: 'c' })]);
  state.apply([hello([madeTerminal({ id: 'b' }), madeTerminal({ id: 'c' })])]);
  state.apply([{ type: 'terminal.gone', terminalId: 'c' }]);
  expect(state.fleet.ids.value).toEqual(['b']);
  state.apply([{ type: 'reset' }]);
  expect(state.fleet.ids.value).toEqual([]);
});

test('page state: entries are in order and listed once, late ones too', () => {
  const state = greeted([madeTerminal()]);
  const target = { kind: 'terminal', id: 'tml_1' } as const;
  state.watched.watch(target);
  state.apply([
    { type: 'timeline', target, machine: null, entries: [madeEntry(1), madeEntry(4)] },
    { type: 'entry', entry: madeEntry(6) },
    { type: 'entry', entry: madeEntry(3, { title: 'a slow call' }) },
    { type: 'entry', entry: madeEntry(6) },
  ]);
  expect(state.watched.timeline.value!.entries.map(({ seq }) => seq)).toEqual([1, 3, 4, 6]);
});

test('page state: drops a timeline that arrives after the page changed', () => {
  const state = greeted([madeTerminal()]);
  state.watched.watch({ kind: 'object', id: 'ps_1' });
  const late = { kind: 'terminal', id: 'tml_1' } as const;
  state.apply([{ type: 'timeline', target: late, machine: null, entries: [madeEntry(1)] }]);
  expect(state.watched.timeline.value).toBe(null);
});

test('page state: announces the end of an action of the selected terminal only', () => {
  const state = greeted([
    madeTerminal({ action: madeAction() }),
    madeTerminal({ id: 'tml_2', name: 'Till 2' }),
  ]);
  state.watched.watch({ kind: 'terminal', id: 'tml_1' });
  const ended = madeAction({ status: 'Failed', errorCode: 'insufficient_funds' });
  state.apply([{ type: 'terminal', terminal: madeTerminal({ id: 'tml_2', name: 'Till 2', action: ended }) }]);
  expect(state.announcement.value).toBe('');
  state.apply([{ type: 'terminal', terminal: madeTerminal({ action: ended }) }]);
  expect(state.announcement.value).toBe('Till 1: payment of 17.42 GBP failed, insufficient funds');
});

test('page state: a view that is left late does not end what the next view watches', () => {
  const state = greeted([madeTerminal()]);
  const [fleet, terminal] = [null, { kind: 'terminal', id: 'tml_1' } as const];
  state.watched.watch(fleet);
  state.watched.watch(terminal);
  expect(state.watched.unwatch(fleet)).toBe(false);
  expect(state.watched.target.value).toBe(terminal);
  expect(state.watched.unwatch(terminal)).toBe(true);
  expect(state.watched.target.value).toBe(null);
});
