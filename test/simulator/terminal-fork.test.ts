import { describe, expect, test } from 'vitest';
import type { SimulatedTerminalState } from '../../simulator/terminal-state.ts';
import { arrive, FORK_CASES, play } from './fork-cases.ts';
import { COUNTER_ID, openFork, startCounter, type Counter } from './terminal-counter.ts';

/** Connects nowhere. */
const deadLine = () => ({
  online: false,
  open: () => {},
  close: async () => {},
  drop: () => {},
  publish: async () => {},
});

describe.each(FORK_CASES)('a simulated terminal that $name', (given) => {
  test('exported: starts elsewhere in the same state, with the same timers', async () => {
    const original = await arrive(given);
    const state = await original.terminal.exportState();
    const fork = openFork(original, state, { connect: deadLine });
    fork.terminal.start();

    expect(await fork.terminal.exportState()).toEqual(state);
    expect(fork.terminal.status.state).toBe(given.state);
    expect(fork.terminal.screen).toEqual(original.terminal.screen);
    expect(fork.clock.due).toEqual(original.clock.due);
    expect(fork.journal.load()).toEqual(original.journal.load());
    expect(fork.steps).toEqual([]);
  });

  test.each(given.ends.map(([moves, end, server], index) => ({ moves, end, server, index })))(
    'exported: fork $index goes on by itself, to $end',
    async ({ moves, end, server }) => {
      const original = await arrive(given);
      const state = await original.terminal.exportState();
      const fork = openFork(original, state, server);
      fork.terminal.start();
      await fork.clock.advance(0);
      await play(fork, moves);

      expect(fork.terminal.status.state ?? fork.steps.at(-1)?.state).toBe(end);
      const events = fork.steps.map(({ event }) => event);
      if (!given.powerWasCut) expect(events).not.toContain('power.returned');
      expect(await original.terminal.exportState(), 'the original stays').toEqual(state);
    },
  );
});

test('a simulated terminal that prints, exported: the state is that after both copies', async () => {
  let exported: Promise<SimulatedTerminalState> | undefined;
  const counter = await startCounter({
    onStep({ state }) {
      if (state === 'approved.printing.merchantCopy') exported = counter.terminal.exportState();
    },
  });
  counter.server.start(COUNTER_ID);
  await counter.clock.advance(5000);

  const { printer, agent } = (await exported)!;
  expect(printer.printed.map(({ copy }) => copy)).toEqual(['merchantCopy', 'customerCopy']);
  expect(printer.sheets).toBe(998);
  expect(agent.action).toBeNull();
  expect(agent.endedActionIds).toHaveLength(1);
});

test('a simulated terminal, exported: a cardholder takes the next step at the same instant, and then those after it', async () => {
  const original = await startCounter({ cardholder: { script: 'wrong-pin-twice', delayMs: 2000 } });
  original.server.start(COUNTER_ID);
  await original.clock.advance(5000);
  const state = await original.terminal.exportState();
  expect(state.cardholder).toMatchObject({ promptCount: { card: 1, pin: 2 }, next: { step: 'typeWrong' } });

  const fork = openFork(original, state);
  fork.terminal.start();
  await fork.clock.advance(5000);
  await original.clock.advance(5000);
  const authorised = ({ server }: Counter) =>
    server.reports.filter(({ name }) => name === 'action.authorise').map(({ body }) => body);
  expect(authorised(fork)).toMatchObject([{ verification: 'OfflinePin' }]);
  expect(authorised(original)).toMatchObject([{ verification: 'OfflinePin' }]);
  expect(fork.terminal.printed).toEqual(original.terminal.printed);
});

test('a simulated terminal, exported: an action that it has ended does not start again in a fork', async () => {
  const original = await startCounter();
  const actionId = original.server.start(COUNTER_ID);
  await original.clock.advance(5000);
  const fork = openFork(original, await original.terminal.exportState());
  fork.terminal.start();
  await fork.clock.advance(0);
  fork.server.start(COUNTER_ID, { actionId });
  await fork.clock.advance(0);
  expect(fork.steps).toEqual([]);
  expect(fork.lines.join()).toContain('the action has ended already');
});

test('a simulated terminal: refuses to start from an action of another firmware', async () => {
  const counter = await arrive(FORK_CASES[0]!);
  const state = await counter.terminal.exportState();
  const action = { ...state.agent.action!, snapshot: { value: 'dancing', context: {} } };
  const fork = openFork(counter, { ...state, agent: { ...state.agent, action } });
  expect(() => fork.terminal.start()).toThrow('no action of this firmware');
});
