import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { DRIVERS } from '../../../agent/readers/drivers.ts';
import { MESSAGE_FAULTS } from '../../../protocol/line-faults.ts';
import { memoryOf, sumMinor } from '../../../simulator/twins/stand-alone/journal.ts';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

const AMOUNT_MINOR = 1742;
const EURO = { code: 'EUR', number: '0978' };
const CARD = 'visa-contactless';
/** The terminal has the request by then, and waits for a card. */
const CONNECT = { seconds: 5 };
/** A payment that is over for the server is reversed at the terminal by then. */
const SETTLE = { minutes: 2 };
/** Longer than any driver asks a terminal for a lost answer. */
const PATIENCE_MS = 900_000;

let shop: ReaderFixture;

async function opens(language: string) {
  shop = await openReaderFixture({ driver: language });
  onTestFinished(() => shop.close());
}

/** Starts a payment, and waits until the terminal has it. Returns the ids of the action and of its session. */
async function starts(options = {}) {
  const { status, body } = await shop.till.pay(AMOUNT_MINOR, { currency: EURO.code, ...options });
  expect(status).toBe(200);
  await reachesTerminal();
  return { actionId: body.action.id, sessionId: body.action.transaction.paymentSessionId };
}

async function reachesTerminal() {
  const isThere = () => /awaitingCard|atDevice/.test(shop.terminal.status.state ?? '');
  await shop.soon('the terminal has the request', isThere);
  await shop.world.advance(CONNECT);
}

/** What the terminal has taken and not given back, by its own journal. */
const takenMinor = () => sumMinor(memoryOf(shop.terminal.tray).journal, EURO.number);

/** The word for an action that is over. */
function wordOf(status: string, code: string | undefined): string {
  if (status === 'Succeeded') return 'paid';
  if (status === 'Cancelled' || code === 'cancelled_on_terminal') return 'cancelled';
  return code === 'card_declined' ? 'declined' : 'failed';
}

/** What came of a payment, in the words of the table. The server has to say of it what the terminal has in its journal. */
async function outcomeOf(sessionId: string): Promise<string> {
  const { status, error } = await shop.ended(PATIENCE_MS);
  await shop.world.advance(SETTLE);
  const session = await shop.till.session(sessionId);
  const word = wordOf(status, error?.code);
  expect(session.status === 'Captured').toBe(word === 'paid');
  expect(takenMinor()).toBe(word === 'paid' ? AMOUNT_MINOR : 0);
  return memoryOf(shop.terminal.tray).journal.some(({ reversed }) => reversed) ? 'reversed' : word;
}

/** Takes a payment, and loses the answer after the charge. Returns what came of it: `settled` is by a person. */
async function loses(fault: string): Promise<string> {
  shop.terminal.control('fault-after-approval', fault);
  const { sessionId } = await starts();
  shop.hold(CARD);
  const isUnknown = () => shop.terminal.status.state === 'outcomeUnknown';
  await shop.soon('an outcome', () => isUnknown() || !shop.terminal.status.actionId, PATIENCE_MS);
  // The fault has struck a message.
  expect(memoryOf(shop.terminal.tray).faults).toEqual({});
  if (!isUnknown()) return outcomeOf(sessionId);
  const path = `/sandbox/terminals/${shop.terminal.terminalId}/settle`;
  expect(await shop.world.api.post(path, { outcome: 'Charged' })).toMatchObject({ status: 200 });
  expect(await outcomeOf(sessionId)).toBe('paid');
  return 'settled';
}

/** What a till does with every language, by the words of the table. Each returns the word of its cell. */
const SCENARIOS: Record<string, () => Promise<string>> = {
  async 'takes a payment'() {
    const { sessionId } = await starts();
    shop.hold(CARD);
    return outcomeOf(sessionId);
  },
  async 'takes a payment with chip and PIN'() {
    const { sessionId } = await starts();
    shop.hold('visa-contact-pin');
    await shop.world.advance({ seconds: 2 });
    shop.terminal.control('type', '1234');
    shop.terminal.control('confirm');
    return outcomeOf(sessionId);
  },
  async 'takes a payment that the bank declines'() {
    const { sessionId } = await starts();
    shop.hold('visa-declined');
    return outcomeOf(sessionId);
  },
  async 'cancels before there is a card'() {
    const { sessionId } = await starts();
    const { status } = await shop.till.cancel();
    if (status === 200) return outcomeOf(sessionId);
    shop.hold(CARD);
    expect(await outcomeOf(sessionId)).toBe('paid');
    return 'refused';
  },
  async 'cancels once the bank is asked'() {
    const { sessionId } = await starts();
    shop.hold(CARD);
    await shop.world.advance({ ms: 700 });
    const { status } = await shop.till.cancel();
    const outcome = await outcomeOf(sessionId);
    if (status === 200) return outcome;
    expect(outcome).toBe('paid');
    return 'refused';
  },
  async 'waits while cancel is pressed at the terminal'() {
    const { sessionId } = await starts();
    shop.terminal.control('cancel');
    return outcomeOf(sessionId);
  },
  async 'waits for a card that nobody presents'() {
    const { sessionId } = await starts();
    return outcomeOf(sessionId);
  },
  'loses the answer after the charge': () => loses('cut'),
  async 'gives a refund'() {
    const { sessionId } = await starts();
    shop.hold(CARD);
    expect(await outcomeOf(sessionId)).toBe('paid');
    shop.terminal.tray.remove();
    await shop.till.refund(sessionId);
    await shop.world.advance(CONNECT);
    shop.hold(CARD);
    const { status } = await shop.ended(PATIENCE_MS);
    expect(takenMinor()).toBe(status === 'Succeeded' ? 0 : AMOUNT_MINOR);
    return status === 'Succeeded' ? 'refunded' : 'not possible';
  },
  async 'reverses a payment whose receipt is not printed'() {
    const { actionId, sessionId } = await starts({ receipts: 'PointOfSale' });
    shop.hold(CARD);
    await shop.is('awaitingMerchantReceipt');
    await shop.till.confirm({ merchantCopy: { status: 'Failed' } });
    const outcome = await outcomeOf(sessionId);
    const { deviceReversals } = (await shop.world.api.get(`/sandbox/actions/${actionId}`)).body;
    expect(deviceReversals).toMatchObject([
      { outcome: 'Reversed', amount: AMOUNT_MINOR, currency: EURO.code },
    ]);
    return outcome;
  },
  async 'takes a payment without paper'() {
    const printed = () => shop.terminal.control('receipts');
    shop.terminal.control('paper', 'out');
    const { sessionId } = await starts();
    shop.hold(CARD);
    const outcome = await outcomeOf(sessionId);
    const before = printed();
    shop.terminal.control('paper', 'in');
    return before === printed() ? outcome : `${outcome}, printed later`;
  },
};

const TABLE = new URL('../../../docs/readers/stand-alone.md', import.meta.url);

/** The rows of the table: what a till does, and a word for each language. */
function readTable() {
  const rows = readFileSync(TABLE, 'utf8')
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const start = rows.findIndex(([first]) => first === 'A till');
  const end = rows.findIndex((cells, index) => index > start && cells.length === 0);
  const [[, ...languages], , ...body] = rows.slice(start, end) as [string[], string[], ...string[][]];
  return { languages: languages.map((name) => name.toLowerCase()), body };
}

const { languages, body } = readTable();

test('languages of stand-alone terminals: the table has a column for each driver and a row for each scenario', () => {
  expect(languages).toEqual(
    DRIVERS.filter(({ authoriser }) => authoriser === 'device').map(({ name }) => name),
  );
  expect(body.map(([scenario]) => scenario)).toEqual(Object.keys(SCENARIOS));
});

test.each(
  body.flatMap(([scenario, ...words]) => languages.map((language, at) => [language, scenario, words[at]])),
)('%s terminal: a till that %s has the outcome of the table, %s', async (language, scenario, word) => {
  await opens(language!);
  expect(await SCENARIOS[scenario!]!()).toBe(word);
});

test.each(languages.flatMap((language) => MESSAGE_FAULTS.map((fault) => [language, fault] as const)))(
  '%s terminal: an answer that is %s after the charge leaves the server with what the terminal has, once',
  async (language, fault) => {
    await opens(language);
    expect(await loses(fault)).toMatch(/^(paid|settled|reversed)$/);
  },
);

/** What differs between terminals of one language, by the controls of the twin. */
const HABITS: [string, string, string][] = [
  ['caisse-ap', 'answers', 'own'],
  ['caisse-ap', 'answers', 'padded'],
  ['ecr17', 'check', 'std'],
  ['ecr17', 'check', 'stx'],
  ['ecr17', 'check', 'stx_noext'],
  ['ecr17', 'result-first', 'on'],
  ['ecr17', 'convert', 'on'],
  ['ecr17', 'refuse', '2'],
  ['ecr17', 'ignore', '2'],
  ['concert', 'refuse', '2'],
  ['nexo', 'clear', 'off'],
];

test.each(HABITS)('%s terminal: with %s %s a payment is paid', async (language, control, argument) => {
  await opens(language);
  shop.terminal.control(control, argument);
  const { sessionId } = await starts();
  await shop.soon('the terminal has the request', () => shop.terminal.status.state === 'atDevice');
  shop.hold(CARD);
  expect(await outcomeOf(sessionId)).toBe('paid');
});
