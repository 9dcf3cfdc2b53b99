import { expect, onTestFinished, test } from 'vitest';
import { PAYMENT_TERMINALS } from '../../../simulator/twins/twins.ts';
import { startWorld, type TillOptions, type UserWorldOptions } from '../../../testing/world/user-world.ts';

const LANGUAGES = PAYMENT_TERMINALS.map(({ name }) => name);

async function opens(options: TillOptions, worldOptions: UserWorldOptions = {}) {
  const world = await startWorld(worldOptions);
  onTestFinished(() => world.close());
  const till = await world.openTill(options);
  const pays = async (amountMinor = 1742) => {
    const { status, body } = await till.pay(amountMinor, { currency: 'EUR' });
    expect(status).toBe(200);
    await world.advance({ seconds: 5 });
    const sessionId: string = body.action.transaction.paymentSessionId;
    return async (seconds = 30) => {
      await world.advance({ seconds });
      const { error } = await till.action();
      const { status: outcome } = await till.session(sessionId);
      return error ? `${outcome} ${error.code}` : outcome;
    };
  };
  return { world, till, terminal: till.terminal, pays };
}

test.each(LANGUAGES)('stand-alone terminal: takes a payment with a tapped card at %s', async (twin) => {
  const { till, terminal } = await opens({ twin });

  expect(await till.takes(1742, { currency: 'EUR' })).toMatchObject({ status: 'Captured' });
  expect(terminal.language).toBe(twin);
});

test.each(LANGUAGES)(
  'stand-alone terminal: its cardholder inserts the card and types the PIN at %s',
  async (twin) => {
    const { pays } = await opens({ twin, cardholder: { script: 'contact-pin' } });
    const outcome = await pays();

    expect(await outcome()).toBe('Captured');
  },
);

test('stand-alone terminal: a serial number with the name of a language makes the terminal', async () => {
  const { world, terminal } = await opens({ serialNumber: 'SIM-ECR17-0007' });
  const { body } = await world.api.get(`/v1/in-person/terminals/${terminal.terminalId}`);

  expect([terminal.language, body.device]).toEqual([
    'ecr17',
    expect.objectContaining({ serialNumber: 'SIM-ECR17-0007', type: 'ECR17 payment terminal' }),
  ]);
});

test('stand-alone terminal: that of a serial number registered over the API takes payments', async () => {
  const { world, till } = await opens({});
  const { location } = (await world.api.get(`/v1/in-person/terminals/${till.terminal.terminalId}`)).body;
  const body = { serialNumber: 'SIM-NEXO-7007', locationId: location.id };
  const { id } = (await world.api.post('/v1/in-person/terminals', body)).body;
  const registered = await world.openTill({ terminalId: id });

  expect(registered.terminal.language).toBe('nexo');
  expect(await registered.takes(1742, { currency: 'EUR' })).toMatchObject({ status: 'Captured' });
});

test('stand-alone terminal: cancel is pressed, and the card is taken away', async () => {
  const { terminal, pays } = await opens({ twin: 'caisse-ap' });
  const outcome = await pays();
  terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  await outcome(1);
  const held = terminal.perform({ act: 'network', state: 'on' }).terminal?.card;
  terminal.perform({ act: 'press-keys', keys: ['cancel'] });

  expect(await outcome()).toMatch(/cancelled_on_terminal/);
  expect(held).toMatchObject({ name: 'visa-contact-pin' });
  expect(terminal.perform({ act: 'remove-card' }).ok).toBe(false);
});

test('stand-alone terminal: without paper its receipts come once there is paper', async () => {
  const { terminal, pays } = await opens({ twin: 'caisse-ap' });
  const receipts = () => terminal.perform({ act: 'control', control: 'receipts' }).terminal?.answer;
  terminal.perform({ act: 'paper', sheets: 0 });
  const outcome = await pays();
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await outcome(5);
  expect(receipts()).toBe('none is printed');
  terminal.perform({ act: 'paper', sheets: 100 });

  expect(receipts()).toMatch(/17.42/);
});

test.each([
  ['nexo', 'lost'],
  ['nexo', 'cut'],
  ['ecr17', 'twice'],
  ['concert', 'corrupt'],
  ['ecr17', 'late'],
])(
  'stand-alone terminal: an answer of %s after the charge is %s, and the payment is captured',
  async (twin, fault) => {
    const { terminal, pays } = await opens({ twin });
    terminal.perform({ act: 'control', control: 'fault-after-approval', argument: fault });
    const outcome = await pays();
    terminal.perform({ act: 'present-card', card: 'visa-contactless' });

    expect(await outcome(300)).toBe('Captured');
    expect(terminal.perform({ act: 'control', control: 'timeline' }).terminal?.answer).toContain(
      `fault of a message (${fault})`,
    );
  },
);

test('stand-alone terminal: a lost answer that nobody can ask for is settled by a person', async () => {
  const { world, till, terminal, pays } = await opens({ twin: 'caisse-ap' });
  terminal.perform({ act: 'control', control: 'fault-after-approval', argument: 'lost' });
  const outcome = await pays();
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await outcome(700);
  await till.reaches('outcomeUnknown');
  await world.api.post(`/sandbox/terminals/${terminal.terminalId}/settle`, { outcome: 'Charged' });

  expect(await outcome()).toBe('Captured');
});

test('stand-alone terminal: takes the card while the till has no power, and the till learns of the charge', async () => {
  const { terminal, pays } = await opens({ twin: 'nexo' });
  const outcome = await pays();
  terminal.perform({ act: 'power', state: 'off' });
  const presented = terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await outcome(5);
  const taken = terminal.perform({ act: 'remove-card' });
  terminal.perform({ act: 'power', state: 'on' });

  expect([presented.ok, taken.ok]).toEqual([true, false]);
  expect(await outcome()).toBe('Captured');
});

test('stand-alone terminal: its cardholder presents a card for which it waited while the till had no power', async () => {
  const { terminal, pays } = await opens({ twin: 'nexo', cardholder: { script: 'tap', delayMs: 8_000 } });
  const outcome = await pays();
  terminal.perform({ act: 'power', state: 'off' });
  terminal.perform({ act: 'power', state: 'on' });

  expect(await outcome()).toBe('Captured');
});

test('stand-alone terminal: a fork has its receipts, its paper and its card', async () => {
  const { world, till, terminal } = await opens({ twin: 'caisse-ap' });
  await till.takes(1742, { currency: 'EUR' });
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  const forked = fork.tillOf(terminal.terminalId).terminal;

  expect(forked.language).toBe('caisse-ap');
  expect(forked.perform({ act: 'control', control: 'receipts' }).terminal).toMatchObject({
    answer: expect.stringContaining('17.42') as string,
    card: { name: 'visa-contactless' },
  });
});

test('stand-alone terminal: a fork from before the till has asked for a lost answer learns of the charge', async () => {
  const { world, till, terminal, pays } = await opens({ twin: 'nexo' });
  terminal.perform({ act: 'control', control: 'fault-after-approval', argument: 'lost' });
  await pays();
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ seconds: 2 });
  const timeline = terminal.perform({ act: 'control', control: 'timeline' }).terminal?.answer;
  expect([timeline, (await till.action()).status]).toEqual([
    expect.stringContaining('bank.answered'),
    'InProgress',
  ]);
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  await fork.advance({ seconds: 300 });

  expect(await fork.tillOf(terminal.terminalId).action()).toMatchObject({ status: 'Succeeded', error: null });
});

test('stand-alone terminal: of its many receipts the last are shown, from the begin of a line', async () => {
  const { till, terminal } = await opens({ twin: 'caisse-ap' });
  const receipts = () => terminal.perform({ act: 'control', control: 'receipts' }).terminal!.answer!;
  await till.takes(1742, { currency: 'EUR' });
  const lines = new Set(
    receipts()
      .split('\n')
      .map((line) => line.replaceAll(/[0-9]/g, '0')),
  );
  for (let count = 0; count < 6; count += 1) await till.takes(1742, { currency: 'EUR' });
  const [first, ...rest] = receipts().split('\n');

  expect(first).toBe('… earlier left out');
  expect(rest.filter((line) => !lines.has(line.replaceAll(/[0-9]/g, '0')))).toEqual([]);
  expect(receipts().length).toBeGreaterThan(3_900);
});

test('stand-alone terminal: a plan of faults strikes it', async () => {
  const { world, pays } = await opens({ twin: 'nexo', cardholder: { script: 'tap' } });
  await world.faults({ at: 'cardholder.card', what: 'cancels' });
  const outcome = await pays();

  expect(await outcome()).toMatch(/cancelled/i);
});

test('stand-alone terminal: a cardholder has a card that it reads, in one payment and in all', async () => {
  const { world, till, terminal, pays } = await opens({ twin: 'nexo' });
  await pays();
  const { id: actionId } = await till.action();
  const swipes = { script: 'tap', card: 'visa-swipe', entryMode: 'Swipe' } as const;
  const problem = /^card: visa-swipe has no chip; a stand-alone payment terminal reads: .*visa-contactless/;

  for (const perform of [{ actionId }, {}])
    expect(terminal.perform({ act: 'cardholder', ...swipes, ...perform })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(problem),
    });
  const path = `/sandbox/terminals/${terminal.terminalId}/cardholder`;
  const { status, body } = await world.api.post(path, swipes);
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('card: visa-swipe has no')]);
  const { entryMode: _, ...tillSwipes } = swipes;
  await expect(world.openTill({ twin: 'zvt', cardholder: tillSwipes })).rejects.toThrow(
    'openTill: cardholder: card: visa-swipe has no chip',
  );
  expect(terminal.perform({ act: 'cardholder', ...swipes, script: 'walk-away' })).toMatchObject({ ok: true });
});

/** Takes a payment that is cancelled at the server before that hears that the payment terminal has the request. */
async function endsWhileOpen(twin: string) {
  const opened = await opens({ twin });
  const { world, till, terminal } = opened;
  const report = { at: 'message.report', what: 'lost', when: { message: 'action.unsettled' } };
  await world.faults(report);
  const { body } = await till.pay(1742, { currency: 'EUR' });
  await world.advance({ seconds: 1 });
  expect(terminal.status.state).toBe('atDevice');
  expect((await till.cancel()).status).toBe(200);
  await world.advance({ seconds: 1 });
  expect(await till.action()).toMatchObject({ status: 'Cancelled' });
  const reversals = async () =>
    (await world.api.get(`/sandbox/actions/${body.action.id}`)).body.deviceReversals;
  return { ...opened, reversals };
}

test.each(['caisse-ap', 'ecr17', 'concert', 'nexo'])(
  'stand-alone terminal: what %s has of an ended action when the till loses its power is reported after the start',
  async (twin) => {
    const { world, terminal, reversals } = await endsWhileOpen(twin);
    terminal.perform({ act: 'power', state: 'off' });
    terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.advance({ minutes: 1 });
    expect(await reversals()).toEqual([]);
    terminal.perform({ act: 'power', state: 'on' });
    await world.advance({ minutes: 1 });

    expect(await reversals()).toMatchObject([
      { outcome: 'NotReversed', amount: 1742, reason: expect.stringContaining('lost its power') },
    ]);
  },
);

test('stand-alone terminal: what it has of an ended action is reported in a fork, and reversed where the till goes on', async () => {
  const { world, terminal, reversals } = await endsWhileOpen('nexo');
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  await fork.advance({ minutes: 1 });
  const { items } = (await fork.api.get('/sandbox/terminals')).body;
  const { deviceReversals } = (await fork.api.get(`/sandbox/actions/${items[0].action.id}`)).body;
  expect(deviceReversals).toMatchObject([{ outcome: 'NotReversed' }]);

  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ minutes: 1 });
  expect(await reversals()).toMatchObject([{ outcome: 'Reversed', amount: 1742 }]);
});

test('stand-alone terminal: what does not exist is an error', async () => {
  const { world, terminal } = await opens({ twin: 'nexo' });
  const use = (control: string, argument?: string) =>
    terminal.perform({ act: 'control', control, ...(argument !== undefined && { argument }) });

  expect(() => use('fault', 'eaten')).toThrow(/fault takes one of: lost, late/);
  expect(() => use('type', '1234')).toThrow(/no control 'type', only: cancel, language/);
  await expect(world.openTill({ twin: 'opi' })).rejects.toThrow(/openTill: twin must be one of/);
  await expect(world.openTill({ twin: 'nexo', readLatencyMs: 5 })).rejects.toThrow(
    'openTill: readLatencyMs is not for a terminal with twin',
  );
  const { status, body } = await world.api.post(`/sandbox/terminals/${terminal.terminalId}/present-card`, {
    card: 'visa-swipe',
  });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(/visa-swipe has no chip/)]);
});
