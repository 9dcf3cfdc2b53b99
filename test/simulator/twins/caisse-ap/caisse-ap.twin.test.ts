import { expect, test } from 'vitest';
import * as module from '../../../../simulator/twins/caisse-ap.twin.ts';
import { readRecords } from '../../../../simulator/twins/caisse-ap/records.ts';
import { hexOf, rawTill, textOf } from '../raw-till.ts';

const CARD = 'visa-contactless';
const PAY = 'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0042500';
const ECHO = 'CZ0040300CJ012012345678901CA00201CE003978CD0010CB0042500';
const LEAST = 'CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003978';

async function ask(request: string, { card = CARD, ms }: { card?: string; ms?: number } = {}) {
  const till = rawTill(module);
  if (card) till.present(card);
  const heard = (await till.send(hexOf(request), ms)).filter((hex) => hex !== 'closed').map(textOf);
  return { till, answer: heard.join(''), heard };
}

test('Caisse-AP twin: a tapped payment is done, with the data of the card', async () => {
  const { answer, till } = await ask(PAY);
  expect(answer).toMatch(
    /^CZ0040300CJ012012345678901CA00201CE003978CD0010CB0042500AE00210CC00300BCI0012AC006[0-9]{6}AA016401200######0085AI014A0000000031010AB0043912CG006424242$/,
  );
  expect(till.heard.at(-1)!.hex).toBe('closed');
  // One request and its answer are a connection; nothing waits behind it.
  expect(till.clock.due).toEqual([]);
});

test('Caisse-AP twin: takes the least request; a contact card asks for its PIN, and private data is returned', async () => {
  const till = rawTill(module);
  till.present('visa-contact-pin');
  expect(await till.send(hexOf(`${LEAST}CF0101010000000`))).toEqual([]);
  till.control('type', '1234');
  till.control('confirm');
  await till.clock.advance(2_000);
  const { records } = readRecords(textOf(till.heard[0]!.hex));
  expect([records.get('AE'), records.get('CC'), records.get('CI'), records.get('CF')]).toEqual([
    '10',
    '001',
    '1',
    '1010000000',
  ]);
});

test.each([
  ['a decline', '2901', 'AF00204'],
  ['a forbidden card', '2908', 'AF00204'],
  ['a card that is not permitted', '2909', 'AF00205'],
])('Caisse-AP twin: %s is not done', async (_, amount, reason) => {
  const { answer } = await ask(PAY.replace('2500', amount));
  expect(answer).toBe(`${ECHO.replace('2500', amount)}AE00201${reason}`);
});

test.each([
  ['nobody acts', 'AF00208', () => {}],
  ['the cardholder presses cancel', 'AF00206', (till: ReturnType<typeof rawTill>) => till.control('cancel')],
  ['the operator stops it', 'AF00211', (till: ReturnType<typeof rawTill>) => till.control('stop')],
])('Caisse-AP twin: when %s the payment is not done', async (_, reason, act) => {
  const { till } = await ask(PAY, { card: '' });
  act(till);
  await till.clock.advance(95_000);
  expect(textOf(till.heard[0]!.hex)).toBe(`${ECHO}AE00201${reason}`);
  expect(till.memory.journal).toEqual([]);
});

test.each([
  [
    'no currency',
    PAY.replace('CE003978', ''),
    'AF00209',
    'record CE: it is missing; the currency is three digits',
  ],
  [
    'a till of one digit',
    PAY.replace('CA00201', 'CA0011'),
    'AF00209',
    'record CA: the number of the till is two digits',
  ],
  [
    'letters as amount',
    PAY.replace('CB0042500', 'CB00425,0'),
    'AF00209',
    'record CB: the amount is two to twelve digits',
  ],
  ['an amount of nothing', PAY.replace('2500', '0000'), 'AF00209', undefined],
  [
    'an unknown action',
    PAY.replace('CD0010', 'CD001X'),
    'AF00212',
    'record CD: the terminal does not have this action',
  ],
  ['a currency that it does not take', PAY.replace('978', '999'), 'AF00213', undefined],
  ['a store card', `${PAY}CC003003`, 'AF00210', 'record CC: the terminal does not have this application'],
  ['a tag twice', `${PAY}CA00201`, 'AF00209', 'byte 62 (CA): a tag appears once'],
])(
  'Caisse-AP twin: a request with %s is not done, and the timeline says why',
  async (_, request, reason, rule) => {
    const { answer, till } = await ask(request);
    expect(answer).toContain(`AE00201${reason}`);
    expect(till.memory.journal).toEqual([]);
    if (rule) expect(String(till.control('timeline'))).toContain(`message refused (request, ${rule})`);
  },
);

test('Caisse-AP twin: a request that is cut off is not done after ten seconds', async () => {
  const { till, answer } = await ask(PAY.slice(0, 30));
  expect(answer).toBe('');
  await till.clock.advance(6_000);
  expect(textOf(till.heard[0]!.hex)).toBe('CZ0040300CJ012012345678901AE00201AF00209');
});

test('Caisse-AP twin: a request in pieces, with a line end, is one', async () => {
  const till = rawTill(module);
  till.present(CARD);
  await till.send(hexOf(PAY.slice(0, 13)), 2_000);
  await till.send(hexOf(PAY.slice(13)), 100);
  await till.send('0d0a');
  expect(textOf(till.heard[0]!.hex)).toContain(`${ECHO}AE00210`);
});

test('Caisse-AP twin: identifies itself', async () => {
  const identify = 'CZ0040301CJ012330538600404CA00201CD001I';
  expect((await ask(identify)).answer).toBe('CZ0040301CJ012330538600404CA00201CD001IAE00210');
});

test('Caisse-AP twin: a cheque needs no card', async () => {
  const cheque = PAY.replace('2500', '2500').concat('CC00300CCB00205').replace('CB0042500', '');
  const { answer, till } = await ask(cheque, { card: '' });
  expect(answer).toContain('AE00210CC00300C');
  expect(till.memory.journal).toEqual([]);
});

test('Caisse-AP twin: an answer at once says that no result follows, and the payment goes on', async () => {
  const { answer, till } = await ask(PAY.replace('BA0010', 'BA0011'));
  expect(answer).toBe(`${ECHO}AE00211`);
  expect(till.memory.journal).toMatchObject([{ kind: 'payment', amountMinor: 2500 }]);
});

test('Caisse-AP twin: a payment that is answered at once goes on when its till hangs up before the answer', async () => {
  const till = rawTill(module);
  till.control('fault', 'late');
  await till.send(hexOf(PAY.replace('BA0010', 'BA0011')), 1_000);
  await till.close();
  await till.clock.advance(1_000);
  till.present(CARD);
  await till.clock.advance(20_000);
  expect(till.heard.map(({ hex }) => hex)).toEqual(['closed']);
  expect(till.memory.journal).toMatchObject([{ kind: 'payment', amountMinor: 2500 }]);
});

test('Caisse-AP twin: refunds, and cancels a payment of this amount once', async () => {
  const till = rawTill(module);
  till.present(CARD);
  const actions = ['0', '1', '2', '2'].map((action) => PAY.replace('CD0010', `CD001${action}`));
  const outcomes: (string | undefined)[] = [];
  for (const request of [...actions, PAY.replace('CD0010', 'CD0012').replace('2500', '2600')]) {
    const [answer] = await till.send(hexOf(request));
    const { records } = readRecords(textOf(answer!));
    outcomes.push(`${records.get('AE')} ${records.get('AF') ?? ''}`.trim());
    till.connect();
  }
  expect(outcomes).toEqual(['10', '10', '10', '10', '01 07']);
  expect(till.memory.journal.map(({ kind, reversed }) => `${kind}${reversed ? ' reversed' : ''}`)).toEqual([
    'payment reversed',
    'refund reversed',
    'reversal',
    'reversal',
  ]);
});

test('Caisse-AP twin: approves a part where the till allows it', async () => {
  for (const [request, paid] of [
    [`${PAY}BF0011`, '500'],
    [PAY, '2500'],
  ] as const) {
    const till = rawTill(module);
    till.present(CARD);
    till.control('approve-only', '500');
    const [answer] = await till.send(hexOf(request));
    expect(readRecords(textOf(answer!)).records.get('CB')).toBe(paid);
    expect(till.memory.journal).toMatchObject([{ amountMinor: Number(paid) }]);
  }
});

test('Caisse-AP twin: sends the ticket of the customer where the till prints', async () => {
  const { answer, till } = await ask(`${PAY}CK003100`);
  const inner = readRecords(`CZ0040300${readRecords(answer).records.get('ZT')}`).records;
  expect(Buffer.from(inner.get('AK')!, 'base64').toString('latin1')).toContain('TICKET CLIENT');
  expect(till.memory.printed).toEqual([]);
  const own = await ask(PAY);
  expect(own.till.memory.printed).toHaveLength(2);
});

test.each([
  ['own', 'CZ0040320CJ012330538600404CA00201CE003978CD0010CB0042500'],
  ['padded', 'CZ0040300CJ012012345678901CA00201CE003978CD0010CB012000000002500'],
])('Caisse-AP twin: answers may be %s', async (form, echoes) => {
  const till = rawTill(module);
  till.present(CARD);
  till.control('answers', form);
  const [answer] = await till.send(hexOf(PAY));
  expect(textOf(answer!)).toContain(`${echoes}AE00210`);
});

test('Caisse-AP twin: a till that closes before the card is read stops the payment, and one that closes later does not', async () => {
  const early = (await ask(PAY, { card: '' })).till;
  await early.close();
  early.present(CARD);
  await early.clock.advance(5_000);
  expect(early.memory.journal).toEqual([]);
  const late = (await ask(PAY, { ms: 800 })).till;
  await late.close();
  await late.clock.advance(5_000);
  expect(late.memory.journal).toHaveLength(1);
});

test.each([
  ['lost', []],
  ['cut', ['closed']],
  ['split', [expect.any(String), expect.any(String), 'closed']],
  ['twice', [expect.any(String), expect.any(String), 'closed']],
  ['corrupt', [expect.any(String), 'closed']],
])('Caisse-AP twin: the card is charged and the answer is %s', async (fault, expected) => {
  const till = rawTill(module);
  till.present(CARD);
  till.control('fault-after-approval', fault);
  const heard = await till.send(hexOf(PAY), 20_000);
  expect(heard).toEqual(expected);
  expect(till.memory.journal).toHaveLength(1);
  expect(heard.join('')).not.toMatch(new RegExp(hexOf('4012000000060085')));
});

test('Caisse-AP twin: is not done while another payment runs', async () => {
  const { till } = await ask(PAY, { card: '' });
  till.connect();
  const [answer] = await till.send(hexOf(PAY));
  expect(textOf(answer!)).toBe(`${ECHO}AE00201AF00207`);
});
