import { expect, test } from 'vitest';
import { deviceNamed } from '../../simulator/profiles/device-profile.ts';
import { wrap } from '../../simulator/simulated-terminal.ts';
import { COUNTER_ID, startCounter } from './terminal-counter.ts';

test('simulated terminal: takes a payment and prints both copies', async () => {
  const { clock, server, terminal } = await startCounter();
  const actionId = server.start(COUNTER_ID);
  await clock.advance(5000);

  expect(server.ended).toContain(actionId);
  expect(server.reportsOf(COUNTER_ID)).toEqual(
    expect.arrayContaining(['action.accepted', 'action.authorise', 'receipt.ready', 'action.completed']),
  );
  expect(terminal.printed.map(({ copy }) => copy)).toEqual(['merchantCopy', 'customerCopy']);
  expect(terminal.perform({ act: 'paper', sheets: 5 })).toMatchObject({
    ok: true,
    terminal: { paperSheets: 5 },
  });
});

test('simulated terminal: takes a payment by acts: a card, a PIN with a corrected digit', async () => {
  const { clock, server, terminal } = await startCounter({ cardholder: { script: 'none' } });
  const actionId = server.start(COUNTER_ID);
  await clock.advance(1000);
  const done = terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
  expect(done).toMatchObject({ ok: true, terminal: { power: 'on', network: 'on', paperSheets: 1000 } });
  await clock.advance(1000);
  terminal.perform({ act: 'press-keys', keys: ['9', 'clear', '1', '2', '3', '4', 'enter'] });
  await clock.advance(1000);

  expect(server.ended).toContain(actionId);
  expect(terminal.perform({ act: 'remove-card' }).ok, 'the card was given back').toBe(false);
});

test('simulated terminal: refuses an unknown card with the list of cards', async () => {
  const { terminal } = await startCounter();

  expect(terminal.perform({ act: 'present-card', card: 'gold-card' })).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/gold-card.*visa-contactless, mastercard-contactless/),
    terminal: { power: 'on' },
  });
});

test.each([
  ['before the card', 500],
  ['while the card is read', 1080],
  ['after it all', 4000],
])('simulated terminal: after a power cut %s it comes back and the action ends', async (_when, atMs) => {
  const { clock, server, terminal } = await startCounter();
  const actionId = server.start(COUNTER_ID);
  await clock.advance(atMs);

  const off = terminal.perform({ act: 'power', state: 'off' });
  expect(off).toMatchObject({ ok: true, terminal: { power: 'off', screen: [] } });
  expect(terminal.online).toBe(false);
  expect(terminal.perform({ act: 'present-card', card: 'apple-pay' })).toMatchObject({
    problem: 'the terminal is switched off',
  });
  expect(terminal.perform({ act: 'press-keys', keys: ['cancel'] }).ok).toBe(false);
  await clock.advance(3000);
  expect(terminal.perform({ act: 'power', state: 'off' }).ok, 'off stays off').toBe(true);

  expect(terminal.perform({ act: 'power', state: 'on' })).toMatchObject({
    ok: true,
    terminal: { power: 'on' },
  });
  await clock.advance(60_000);
  expect(terminal.online).toBe(true);
  expect(server.ended).toContain(actionId);
});

test('simulated terminal: without a network it is offline, and ends the action once it is back', async () => {
  const { clock, server, terminal } = await startCounter();
  const actionId = server.start(COUNTER_ID);
  await clock.advance(500);
  expect(terminal.perform({ act: 'network', state: 'off' })).toMatchObject({
    ok: true,
    terminal: { network: 'off' },
  });
  await clock.advance(2000);
  expect(terminal.online).toBe(false);
  expect(server.ended).not.toContain(actionId);

  terminal.perform({ act: 'network', state: 'on' });
  await clock.advance(60_000);
  expect(terminal.online).toBe(true);
  expect(server.ended).toContain(actionId);
});

test('simulated terminal: switched on without a network, it connects once there is one', async () => {
  const { clock, terminal } = await startCounter();
  terminal.perform({ act: 'power', state: 'off' });
  terminal.perform({ act: 'network', state: 'off' });
  terminal.perform({ act: 'power', state: 'on' });
  await clock.advance(60_000);
  expect(terminal.online).toBe(false);

  terminal.perform({ act: 'network', state: 'on' });
  await clock.advance(60_000);
  expect(terminal.online).toBe(true);
});

test('simulated terminal: without paper, reports the failed copy', async () => {
  const { clock, server, terminal } = await startCounter();
  terminal.perform({ act: 'paper', sheets: 1 });
  server.start(COUNTER_ID);
  await clock.advance(5000);

  const completed = server.reports.find(({ name }) => name === 'action.completed');
  expect(completed?.body).toMatchObject({ failedCopies: ['customerCopy'] });
  expect(terminal.printed).toHaveLength(1);
});

test('simulated terminal: a device without a printer refuses paper', async () => {
  const { terminal } = await startCounter({ device: deviceNamed('pin-pad')! });

  expect(terminal.perform({ act: 'paper', sheets: 10 })).toMatchObject({
    problem: 'a PIN Pad has no printer',
    terminal: { paperSheets: 0 },
  });
});

test('simulated terminal: with a real printer it prints there, and its paper is not worked from here', async () => {
  const copies: string[] = [];
  const { clock, server, terminal } = await startCounter({
    createPrinter: (trace) => ({
      async print(copy) {
        trace('out', Uint8Array.of(0x1b, 0x40));
        copies.push(copy);
        return 'printed';
      },
    }),
  });
  expect(terminal.perform({ act: 'paper', sheets: 0 })).toMatchObject({
    problem: 'this terminal has a real printer: put the paper in there',
  });
  server.start(COUNTER_ID);
  await clock.advance(5000);
  expect(copies).toEqual(['merchantCopy', 'customerCopy']);
  expect(terminal.printed).toEqual([]);
  const published = JSON.stringify(server.reports);
  expect(published.match(/receipt printer, a copy from its beginning/g)).toHaveLength(2);
});

test('simulated terminal: the cardholder act changes who pays during an action', async () => {
  const { clock, server, terminal } = await startCounter({ cardholder: { script: 'walk-away' } });
  const actionId = server.start(COUNTER_ID);
  await clock.advance(60_000);
  expect(server.reportsOf(COUNTER_ID)).not.toContain('action.authorise');

  expect(terminal.perform({ act: 'cardholder', script: 'tap', card: 'google-pay', delayMs: 10 }).ok).toBe(
    true,
  );
  await clock.advance(5000);
  expect(server.ended).toContain(actionId);
  const report = server.reports.find(({ name }) => name === 'action.authorise');
  expect(report?.body).toMatchObject({ card: { wallet: 'GooglePay' }, verification: 'OnDevice' });
});

test('simulated terminal: the start of the action passes a magic amount to the cardholder', async () => {
  const { clock, server } = await startCounter();
  server.start(COUNTER_ID, { cardholder: 'pressCancel' });
  await clock.advance(5000);

  const abandoned = server.reports.find(({ name }) => name === 'action.abandoned');
  expect(abandoned?.body).toMatchObject({ code: 'cancelled_on_terminal' });
});

test('simulated terminal: no card number, PIN or password is on the wire, on paper or in the log', async () => {
  const { clock, server, terminal, lines } = await startCounter({
    cardholder: { script: 'wrong-pin-twice' },
  });
  server.start(COUNTER_ID, { amountMinor: 55_00 });
  await clock.advance(20_000);

  const everything = [server.broker.overheard(), lines.join('\n'), JSON.stringify(terminal.printed)].join(
    '\n',
  );
  expect(everything).toContain('0085');
  for (const secret of ['4012000000060085', '"1234"', '"1235"', 'hush-hush'])
    expect(everything).not.toContain(secret);
  // Nor anything that looks like one; ids and application ids have letters, instants are named.
  const rest = everything.replaceAll(/"(\w+Ms|time)":\d+/g, '');
  expect(rest).not.toMatch(/(?<!\w)\d{12,19}(?!\w)/);
});

test('wrap: breaks lines to the width of the display', () => {
  expect(wrap(['Present card', 'Please present a card or a phone', ''], 16)).toEqual([
    'Present card',
    'Please present a',
    'card or a phone',
    '',
  ]);
  expect(wrap(['ABCDEFGHIJ'], 4)).toEqual(['ABCD', 'EFGH', 'IJ']);
});
