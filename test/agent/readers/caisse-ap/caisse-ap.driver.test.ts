import { expect, test } from 'vitest';
import { driver } from '../../../../agent/readers/caisse-ap/caisse-ap.driver.ts';
import { NEXT_ACTION_ID } from '../../agent-fixture.ts';
import { diagnosisOf, REQUEST, scriptedLine, startAction, type Script } from '../till/scripted-line.ts';

const ECHO = 'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0042500';
const APPROVED = `${ECHO}AE00210CC003001CI0011AC006614027AA016278502######8422AI021A00000000595741576604AB0042711CF0101010000000CG006424242`;

/** A terminal that answers each message with this text, and closes the connection. */
const answers =
  (text: string): Script =>
  (_bytes, line) => {
    line.say(text);
    line.hangUp();
  };

async function outcomeOf(script: Script, request = REQUEST, waitMs = 5_000) {
  const fixture = scriptedLine(script);
  const { reader, events } = startAction(driver, fixture, request);
  await fixture.clock.advance(waitMs);
  reader.end();
  await reader.close();
  return { events: events.filter(({ type }) => type !== 'device.ready'), fixture };
}

test('Caisse-AP payment: an approval has the masked card and the authorisation number', async () => {
  const { events, fixture } = await outcomeOf(answers(APPROVED));
  expect(events).toEqual([
    {
      type: 'device.approved',
      card: {
        scheme: 'Mastercard',
        bin: '278502',
        last4: '8422',
        expiryMonth: '11',
        expiryYear: '2027',
        entryMode: 'Contact',
        aid: 'A00000000595741576604',
      },
      approval: { authorisationCode: '614027', reference: '614027' },
    },
  ]);
  expect(fixture.text()).toEqual(['CZ0040300CJ012012345678901CA00201CB0042500CD0010CE003978']);
});

test('Caisse-AP payment: an approval with a whole card number leaves with its BIN and last four digits', async () => {
  const { events } = await outcomeOf(answers(APPROVED.replace('278502######8422', '4970100000000154')));
  expect(events).toMatchObject([{ card: { scheme: 'Visa', bin: '497010', last4: '0154' } }]);
  expect(JSON.stringify(events)).not.toContain('4970100000000154');
});

test('Caisse-AP payment: an answer without its end is used after a second of silence, also in pieces', async () => {
  const inPieces: Script = (_bytes, line) => {
    line.say(APPROVED.slice(0, 70));
    line.say(APPROVED.slice(70));
  };
  const { events } = await outcomeOf(inPieces);
  expect(events).toMatchObject([{ type: 'device.approved' }]);
});

test('Caisse-AP payment: an answer that comes twice is one', async () => {
  const { events } = await outcomeOf(answers(APPROVED + APPROVED));
  expect(events).toMatchObject([{ type: 'device.approved' }]);
});

test.each([
  ['AE00201AF00204', { type: 'device.declined', reason: 'refused' }],
  ['AE00201AF0060451xx', { type: 'device.declined', reason: 'refused' }],
  ['AE00201AF00205', { type: 'device.declined', reason: 'forbidden' }],
  ['AE00201AF00206', { type: 'cancel.pressed' }],
  ['AE00201AF00208', { type: 'cancel.pressed' }],
  ['AE00201AF00211', { type: 'cancel.pressed' }],
  ['AE00201AF00212', { type: 'reader.failed', reason: 'the terminal does not know the action' }],
  ['AE00201AF00213', { type: 'reader.failed', reason: 'currency: the terminal does not support it' }],
  ['AE00201', { type: 'device.declined', reason: 'the terminal gives no reason' }],
])('Caisse-AP payment: %s is no charge', async (result, event) => {
  expect((await outcomeOf(answers(ECHO + result))).events).toEqual([event]);
});

test('Caisse-AP payment: a refusal of the format, before the echoes and without them, is no charge', async () => {
  const failed = [
    { type: 'reader.failed', reason: 'the terminal does not accept the format of the message' },
  ];
  expect((await outcomeOf(answers(`AE00201AF00209${ECHO}`))).events).toEqual(failed);
  expect((await outcomeOf(answers('AE00201AF00209'))).events).toEqual(failed);
});

test.each([
  ['another amount', APPROVED.replace('CB0042500', 'CB0042000'), 'about 20.00 EUR, not 25.00 EUR'],
  ['another till', APPROVED.replace('CA00201', 'CA00202'), 'CA of the answer'],
  ['another action', APPROVED.replace('CD0010', 'CD0011'), 'CD of the answer'],
  ['another currency', APPROVED.replace('CE003978', 'CE003756'), 'CE of the answer'],
  ['no currency', APPROVED.replace('CE003978', ''), 'approved without CE'],
  ['no amount', APPROVED.replace('CB0042500', ''), 'approved without CB'],
  ['a refusal of another amount', `${ECHO.replace('2500', '2000')}AE00201AF00204`, 'about 20.00 EUR'],
  ['taken in', `${ECHO}AE00211`, 'AE=11'],
  ['no result', ECHO, 'no result (AE)'],
  ['not done, authorised', `${ECHO}AE00201AF00201`, 'the reason of a success'],
  ['two results', `${ECHO}AE00210AE00201`, 'record AE: it comes twice, with two values'],
  ['bytes that are none', `${ECHO}AE00210\x03`, 'answer, record 9 at byte 70: a tag is two capital letters'],
  ['a record cut short', `${ECHO}AE0021`, 'hung up'],
  ['nothing', '', 'hung up'],
])('Caisse-AP payment: %s has an unknown outcome', async (_, text, reason) => {
  const { events, fixture } = await outcomeOf(answers(text));
  expect(events).toEqual([{ type: 'device.unknown', reason: expect.stringContaining(reason) }]);
  expect(fixture.heard).toHaveLength(1);
});

test('Caisse-AP payment: an amount with leading zeros is the same', async () => {
  const { events } = await outcomeOf(answers(APPROVED.replace('CB0042500', 'CB00800002500')));
  expect(events).toMatchObject([{ type: 'device.approved' }]);
});

test('Caisse-AP payment: silence is unknown after 180 s, and an answer after that still counts', async () => {
  let answer = () => {};
  const fixture = scriptedLine((_bytes, line) => (answer = () => line.say(APPROVED)));
  const { reader, events } = startAction(driver, fixture);
  await fixture.clock.advance(179_000);
  expect(events.map(({ type }) => type)).toEqual(['device.ready']);
  await fixture.clock.advance(2_000);
  expect(events.at(-1)).toMatchObject({ type: 'device.unknown', reason: expect.stringContaining('180 s') });
  answer();
  await fixture.clock.advance(5_000);
  expect(events.at(-1)).toMatchObject({ type: 'device.approved' });
  await reader.close();
});

test('Caisse-AP payment: an approval after the end of its action is reversed, and no other request is sent before', async () => {
  let answer = () => {};
  const fixture = scriptedLine((bytes, line) => {
    const isReversal = bytes.includes('CD0012');
    if (isReversal) return line.say(APPROVED.replace('CD0010', 'CD0012'));
    answer = () => line.say(APPROVED);
  });
  const { reader, events, begin } = startAction(driver, fixture);
  await fixture.clock.advance(1_000);
  reader.end();
  begin({ ...REQUEST, actionId: NEXT_ACTION_ID });
  await fixture.clock.advance(1_000);
  expect(events.at(-1)).toMatchObject({
    type: 'reader.failed',
    reason: expect.stringContaining('earlier request'),
  });
  answer();
  await fixture.clock.advance(10_000);
  expect(fixture.text()[1]).toBe('CZ0040300CJ012012345678901CA00201CB0042500CD0012CE003978');
  expect(fixture.reversals.at(-1)).toMatchObject({
    outcome: 'Reversed',
    reference: '614027',
    amountMinor: 2500,
  });
  await reader.close();
});

test('Caisse-AP payment: a late approval that the terminal does not reverse is reported, and not tried again', async () => {
  let answer = () => {};
  const fixture = scriptedLine((bytes, line) => {
    if (bytes.includes('CD0012')) return line.say(`${ECHO.replace('CD0010', 'CD0012')}AE00201AF00212`);
    answer = () => line.say(APPROVED);
  });
  const { reader } = startAction(driver, fixture);
  await fixture.clock.advance(1_000);
  reader.end();
  answer();
  await fixture.clock.advance(120_000);
  expect(fixture.reversals.at(-1)).toMatchObject({
    outcome: 'NotReversed',
    reason: 'the terminal does not know the action: reverse it at the terminal',
  });
  expect(fixture.heard).toHaveLength(2);
  await reader.close();
});

test('Caisse-AP payment: what was sent before a restart has an unknown outcome, and is not sent again', async () => {
  const fixture = scriptedLine(answers(APPROVED));
  const reader = driver.createReader(fixture.parts);
  const events: unknown[] = [];
  reader.begin(REQUEST, (event) => events.push(event));
  reader.findOutcome!();
  await fixture.clock.advance(5_000);
  expect(events).toEqual([
    { type: 'device.unknown', reason: expect.stringContaining('the agent restarted') },
  ]);
  expect(fixture.heard).toEqual([]);
  await reader.close();
});

test('Caisse-AP refund: sends a credit', async () => {
  const { events, fixture } = await outcomeOf(answers(APPROVED.replace('CD0010', 'CD0011')), {
    ...REQUEST,
    type: 'Refund',
  });
  expect(events).toMatchObject([{ type: 'device.approved' }]);
  expect(fixture.text()[0]).toContain('CD0011');
});

test('Caisse-AP: refuses a currency without a number, before it connects', async () => {
  const { events, fixture } = await outcomeOf(answers(APPROVED), { ...REQUEST, currency: 'XXX' });
  expect(events).toEqual([{ type: 'reader.failed', reason: 'currency: Caisse-AP has no number for XXX' }]);
  expect(fixture.heard).toEqual([]);
});

test('Caisse-AP: a terminal of another machine is used only when real terminals are allowed', async () => {
  const fixture = scriptedLine(answers(APPROVED), { allowRealTerminal: false });
  const { reader, events } = startAction(driver, fixture);
  await fixture.clock.advance(5_000);
  expect(events).toEqual([
    { type: 'reader.failed', reason: expect.stringContaining('only with --allow-real-terminal') },
  ]);
  expect(fixture.heard).toEqual([]);
  await reader.close();
});

test('Caisse-AP diagnosis: connects, and reads version and identifier of the terminal', async () => {
  const identity = 'CZ0040301CJ012330538600404CA00201CD001IAE00210';
  const fixture = scriptedLine(answers(identity));
  expect(await diagnosisOf(driver, fixture)).toEqual([
    { step: 'open the port', ok: true, detail: 'connected' },
    { step: 'identify (CD=I)', ok: true, detail: 'version 0301, identifier 330538600404' },
  ]);
  expect(fixture.text()).toEqual(['CZ0040300CJ012012345678901CA00201CD001I']);
});
