import { expect, onTestFinished, test } from 'vitest';
import { openTill } from '../../../testing/world/till.ts';
import { observeOccurrences } from '../../../testing/hunt/hunted-fault.ts';
import { startFaultTill } from './fault-world.ts';

const CARD = { act: 'present-card', card: 'visa-contactless' } as const;

test('faults of terminals: a power cut before or after any effect of a payment moves the money at most once', async () => {
  const { world, till } = await startFaultTill();
  const { terminalId } = till.terminal;
  const run = async (fork: typeof world) => {
    const { body } = await openTill(fork, fork.fleet.terminal(terminalId)!).pay(1742);
    await fork.settled();
    fork.fleet.terminal(terminalId)!.perform(CARD);
    await fork.settled();
    await fork.advance({ minutes: 10 });
    const { transaction } = body.action;
    return openTill(fork, fork.fleet.terminal(terminalId)!).movements(transaction.paymentSessionId);
  };
  const calm = await world.fork();
  onTestFinished(() => calm.close());
  const observed = observeOccurrences(calm.watchServers);
  expect(await run(calm)).toEqual(['Authorization', 'Capture']);
  const effects = observed().filter(({ at }) => at === 'terminal.effect');
  expect(effects.map(({ effect }) => effect)).toEqual(
    expect.arrayContaining(['startReader', 'requestAuthorisation', 'printCustomerCopy', 'completeAction']),
  );

  // Without its power it takes no card, and the payment ends at its deadline.
  const withoutCard = new Set(['acceptAction', 'startReader']);
  for (const { effect } of effects) {
    for (const what of ['power-cut-before', 'power-cut-after']) {
      const fork = await world.fork();
      const faults = [{ at: 'terminal.effect', what, delayMs: 3_000, when: { effect } }];
      const plan = (await fork.api.post('/sandbox/faults', { faults })).body.id;
      const movements = withoutCard.has(effect!) ? [] : ['Authorization', 'Capture'];
      expect([what, effect, await run(fork)]).toEqual([what, effect, movements]);
      expect((await fork.api.get(`/sandbox/faults/${plan}`)).body.struck).toBe(1);
      expect(fork.fleet.terminal(terminalId)!.online).toBe(true);
      await fork.close();
    }
  }
});

test('faults of terminals: a power cut after a copy is printed prints it again, and before it does not', async () => {
  const printed = async (what: string) => {
    const { world, till, put } = await startFaultTill();
    await put({ at: 'terminal.effect', what, delayMs: 1_000, when: { effect: 'printMerchantCopy' } });
    const { body } = await till.pay(1742);
    await till.reaches('awaitingCard');
    till.terminal.perform(CARD);
    await world.settled();
    expect(till.terminal.online).toBe(false);
    await world.advance({ minutes: 1 });
    const { paymentSessionId } = body.action.transaction;
    expect(await till.session(paymentSessionId)).toMatchObject({ status: 'Captured' });
    return world.fleet.terminal(till.terminal.terminalId)!.printed.map(({ copy }) => copy);
  };
  expect(await printed('power-cut-before')).toEqual(['merchantCopy', 'customerCopy']);
  expect(await printed('power-cut-after')).toEqual(['merchantCopy', 'merchantCopy', 'customerCopy']);
});

test('faults of terminals: a reader that is unplugged fails the action, and takes cards when it is back', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put({
    at: 'terminal.state',
    what: 'reader-unplugged',
    delayMs: 20_000,
    when: { state: 'awaitingCard' },
  });
  await till.pay(1742);
  await world.settled();
  expect(await till.action()).toMatchObject({ status: 'Failed' });
  expect(till.terminal.perform(CARD)).toMatchObject({ ok: false, problem: 'the reader is unplugged' });
  await till.pay(1742);
  await world.settled();
  expect(await till.action()).toMatchObject({ status: 'Failed' });
  await world.advance({ seconds: 20 });
  await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  expect(await till.action()).toMatchObject({ status: 'Succeeded' });
  expect(await struck(plan)).toEqual(['reader-unplugged awaitingCard']);
});

test('faults of terminals: the network goes down with a message, and both ways are silent until it is back', async () => {
  const { world, till, put, struck } = await startFaultTill();
  const when = { message: 'action.authorise' };
  const plan = await put({ at: 'message.report', what: 'network-down', delayMs: 9_000, when });
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform(CARD);
  await world.settled();
  const { paymentSessionId } = body.action.transaction;
  expect(till.terminal.online).toBe(false);
  expect(await till.movements(paymentSessionId)).toEqual([]);
  await world.advance({ ms: 8_999 });
  expect(await till.movements(paymentSessionId)).toEqual([]);
  await world.advance({ minutes: 1 });
  expect(till.terminal.online).toBe(true);
  expect(await till.movements(paymentSessionId)).toEqual(['Authorization', 'Capture']);
  expect(await struck(plan)).toEqual(['network-down action.authorise']);
});

test('faults of terminals: a command with which the network goes down never arrives, and the action ends at its deadline', async () => {
  const { world, till, put } = await startFaultTill();
  await put({ at: 'message.command', what: 'network-down', when: { message: 'action.start' } });
  await till.pay(1742);
  await world.settled();
  expect([till.terminal.online, till.terminal.status.state]).toEqual([false, undefined]);
  await world.advance({ minutes: 10 });
  expect(till.terminal.online).toBe(true);
  expect((await till.action()).status).toBe('Failed');
});

test('faults of terminals: power that was cut before a restart or a fork comes back at its time', async () => {
  const { world, till, put } = await startFaultTill();
  await put({ at: 'terminal.state', what: 'power-cut', delayMs: 20_000, when: { state: 'awaitingCard' } });
  await till.pay(1742);
  await world.settled();
  await world.advance({ seconds: 5 });
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  await world.restartServer();
  for (const one of [world, fork]) {
    const isOnline = () => one.fleet.terminal(till.terminal.terminalId)!.online;
    await one.advance({ seconds: 14 });
    expect(isOnline()).toBe(false);
    await one.advance({ seconds: 7 });
    expect(isOnline()).toBe(true);
  }
});
