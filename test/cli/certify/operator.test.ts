import { expect, test } from 'vitest';
import {
  commandOperator,
  operatorWithout,
  personOperator,
  tidyOperator,
} from '../../../cli/certify/device/operator.ts';
import { createCliFixture } from '../cli-fixture.ts';

/** A person at a terminal window. */
function openWindow() {
  const cli = createCliFixture();
  const { context } = cli;
  return { cli, context: { ...context, err: { ...context.err, isTerminal: true } } };
}

test('operator of a device: a person is told what to do, and it is done once they press Enter', async () => {
  const { cli, context } = openWindow();
  let isDone = false;
  const done = personOperator(context, { pin: '1234' })
    .act('pin', '1234')
    .then(() => (isDone = true));
  await Promise.resolve();
  expect(cli.err).toBe(
    'Type the PIN 1234 once the device asks for it, and confirm it. Then press Enter, or type "no" if that cannot be done.\n',
  );
  expect(isDone).toBe(false);
  cli.type('');
  await done;
});

test('operator of a device: a person says what cannot be done', async () => {
  const { cli, context } = openWindow();
  const done = personOperator(context, { pin: '1234' }).act('paper-out');
  cli.type('no');
  await expect(done).rejects.toThrow('it was not done: Take the paper out of the printer of the device.');
});

test('operator of a device: an interrupt ends the wait for a person', async () => {
  const { cli, context } = openWindow();
  const done = personOperator(context, { pin: '1234' }).act('tap');
  cli.interrupt();
  await expect(done).rejects.toThrow('it was not done');
});

test('operator of a device: nobody is asked where there is no terminal window', async () => {
  const { context } = createCliFixture();
  await expect(personOperator(context, { pin: '1234' }).act('tap')).rejects.toThrow(
    'there is nobody to ask: give --operate',
  );
});

test('operator of a device: a command line is called with the act, and says by its exit code whether it was done', async () => {
  const { context } = createCliFixture({ PATH: process.env['PATH']! });
  const line = `node -e 'process.exit(process.argv.slice(1).join(" ") + process.env.TAPBENCH_TERMINAL === "pin 1234tml_1" ? 0 : 3)'`;
  const operator = commandOperator(context, line, 'tml_1');
  await operator.act('pin', '1234');
  await expect(operator.act('pin', '9999')).rejects.toThrow('the program of --operate ended with 3 at pin');
  await expect(operator.act('tap')).rejects.toThrow('the program of --operate ended with 3 at tap');
});

test('operator of a device: is not asked for what the device is without', async () => {
  const acts: string[] = [];
  const operator = { isAutomatic: true, act: async (act: string) => void acts.push(act) };
  const without = operatorWithout(operator, ['pin']);
  await without.act('tap');
  await expect(without.act('pin')).rejects.toThrow('the device is without pin');
  expect(acts).toEqual(['tap']);
});

test('operator of a device: a card that was left in the device is taken out before the next, and once', async () => {
  const acts: string[] = [];
  const operator = tidyOperator({ isAutomatic: true, act: async (act) => void acts.push(act) });
  await operator.takeCardOut();
  for (const act of ['insert', 'pin', 'tap', 'insert', 'remove'] as const) await operator.act(act);
  await operator.act('insert');
  await operator.takeCardOut();
  await operator.takeCardOut();
  expect(acts.join()).toBe('insert,pin,remove,tap,insert,remove,insert,remove');
});

test('operator of a device: a card that cannot be taken out stops nothing', async () => {
  const operator = tidyOperator({
    isAutomatic: true,
    act: async (act) => {
      if (act === 'remove') throw new Error('there is none');
    },
  });
  await operator.act('insert');
  await operator.takeCardOut();
});

test('operator of a device: a person who could not put a card in is not asked to take it out', async () => {
  const acts: string[] = [];
  const operator = tidyOperator({
    isAutomatic: false,
    async act(act) {
      acts.push(act);
      throw new Error('it has no slot');
    },
  });
  await expect(operator.act('insert')).rejects.toThrow('it has no slot');
  await operator.takeCardOut();
  expect(acts).toEqual(['insert']);
});

test('operator of a device: nobody is asked once the command was interrupted', async () => {
  const { cli, context } = openWindow();
  cli.interrupt();
  await expect(personOperator(context, { pin: '1234' }).act('remove')).rejects.toThrow('interrupted');
  expect(cli.err).toBe('');
});
