import { expect, onTestFinished, test } from 'vitest';
import { createAgent, type Agent } from '../../agent/agent.ts';
import type { IssuerAnswer } from '../../agent/emv/completion.ts';
import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import type { Reader, ReaderEvent } from '../../agent/readers/reader.ts';
import type { Connector } from '../../protocol/link.ts';
import { createLog, type Log } from '../../protocol/log.ts';
import { createPairing, type PairedCredentials } from '../../simulator/pairing.ts';
import { findCardNumbers } from '../kit/card-numbers.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { worldText } from '../kit/world-text.ts';
import {
  answerOf,
  readerByHand,
  VISA_18,
  type ByHand,
} from '../server/api/in-person/reports/chip-by-hand.ts';

interface HandTerminal {
  agent: Agent;
  credentials: PairedCredentials;
  /** What the next card is, and what its holder types. */
  present(card: ByHand): void;
  /** The latest word of the issuer to a card. */
  answer: IssuerAnswer | undefined;
  pay(): Promise<{ status: string; error: { code: string } | null }>;
}

/** A terminal with keys from its pairing and a reader that a test holds cards to; all that it says is noted. */
async function handTerminal(
  { api, clock, until, forTerminals }: World,
  log: Log,
  told: string[],
): Promise<HandTerminal> {
  const address = { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' };
  const location = await api.post('/v1/in-person/locations', { name: 'Corner Shop', address });
  const registration = { serialNumber: '1853012345', locationId: location.body.id };
  const terminalId: string = (await api.post('/v1/in-person/terminals', registration)).body.id;
  const pairing = createPairing(forTerminals);
  const pairingPath = `/pairing/terminals/${terminalId}`;
  const credentials = (await pairing.pair(pairingPath, new AbortController().signal))!;
  const memory = memoryJournal();
  let card: ByHand = {};
  const made: HandTerminal = {
    credentials,
    present: (next) => void (card = next),
    answer: undefined,
    agent: createAgent({
      terminalId,
      device: { deviceType: 'Hand Terminal', firmware: '1.0' },
      credentials,
      connect: overheard(forTerminals.connect, told),
      clock,
      log,
      reader: handReader(
        credentials,
        () => card,
        (answer) => void (made.answer = answer),
      ),
      printer: { print: async (_, text) => (told.push(text), 'printed') },
      journal: { ...memory, save: (entry) => (told.push(JSON.stringify(entry)), memory.save(entry)) },
      onScreen: (lines) => void told.push(lines.join()),
    }),
    async pay() {
      const path = `/v1/in-person/terminals/${terminalId}`;
      await api.post(`${path}/payment`, { amounts: { requested: 1000 }, currency: 'GBP' });
      return until('the payment to end', async () => {
        const { action } = (await api.get(path)).body;
        return action.status === 'InProgress' ? undefined : action;
      });
    },
  };
  made.agent.start();
  await until('the terminal to be online', () => made.agent.online);
  return made;
}

/** Reads the chip at hand as soon as it is asked to, and asks for a PIN when its holder types one. */
function handReader(
  credentials: PairedCredentials,
  cardAtHand: () => ByHand,
  answered: (answer: IssuerAnswer) => void,
): Reader {
  const chips = readerByHand(credentials.keys!);
  let report: (fact: ReaderEvent) => void = () => {};
  const say = (fact: ReaderEvent) => queueMicrotask(() => report(fact));
  const chip = () => ({ request: chips.insert(VISA_18, cardAtHand()), awaitsAnswer: true });
  return {
    name: 'by hand',
    authoriser: 'server',
    begin: (_, to) => void (report = to),
    awaitCard() {
      say({ type: 'card.presented', entryMode: 'Contact' });
      const asksPin = cardAtHand().pin !== undefined;
      if (asksPin) say({ type: 'card.read', card: VISA_18.card, pin: 'pin' });
      else say({ type: 'card.read', card: VISA_18.card, pin: 'none', chip: chip() });
    },
    awaitPin: () => say({ type: 'pin.entered' }),
    verifyPin: () => say({ type: 'pin.accepted', method: 'OnlinePin', chip: chip() }),
    completeCard(answer) {
      answered(answer);
      say({ type: 'card.completed' });
    },
    end: () => void (report = () => {}),
    close: async () => {},
  };
}

/** The same way to the broker; every message on it is noted. */
function overheard(connect: Connector, told: string[]): Connector {
  return (plan) => {
    const { handlers } = plan;
    const message = (topic: string, payload: Uint8Array) => {
      told.push(`${topic} ${Buffer.from(payload).toString()}`);
      handlers.message(topic, payload);
    };
    const link = connect({ ...plan, handlers: { ...handlers, message } });
    const publish: typeof link.publish = (envelope) => {
      told.push(`${envelope.topic} ${envelope.payload.toString()}`);
      return link.publish(envelope);
    };
    return {
      publish,
      open: () => link.open(),
      close: () => link.close(),
      drop: () => link.drop(),
      get online() {
        return link.online;
      },
    };
  };
}

test('card secrets: a card number and a PIN stay between the reader and the issuer', async () => {
  // Everything that anybody could have read: messages, log lines, journals, screens, receipts.
  const told: string[] = [];
  const log = createLog({ level: 'trace', destination: { write: (line) => void told.push(line) } });
  const world = await startWorld({ log });
  onTestFinished(() => world.close());
  const terminal = await handTerminal(world, log, told);
  const eventTypes = ['Terminal.action_updated', 'PaymentSession.captured', 'PaymentSession.declined'];
  const shop = await world.listen('shop', eventTypes);

  expect(await terminal.pay()).toMatchObject({ status: 'Succeeded' });
  expect(answerOf(terminal.answer!.chip).code).toBe('3030');
  terminal.present({ pin: '1234', objects: { '9F36': '0066' } });
  expect(await terminal.pay()).toMatchObject({ status: 'Succeeded' });
  terminal.present({ pin: '4321', objects: { '9F36': '0067' } });
  expect(await terminal.pay()).toMatchObject({ status: 'Failed', error: { code: 'security_violation' } });
  terminal.present({ cryptogram: '0000000000000000' });
  expect(await terminal.pay()).toMatchObject({ status: 'Failed', error: { code: 'suspected_fraud' } });
  await world.settled();
  await terminal.agent.stop();

  const events = (await world.api.get('/v1/events?limit=50')).body.items;
  const webhooks = shop.deliveries.map(({ body }) => body);
  expect(shop.types()).toContain('PaymentSession.captured');
  const everything = [...told, ...webhooks, JSON.stringify(events), await worldText(world)].join('\n');
  expect(everything).toContain('action-authorise {');
  expect(everything).toContain('"cipherText"');
  expect(findCardNumbers(everything)).toEqual([]);
  expect(everything).not.toContain(terminal.credentials.keys!.initialKey);
  expect(everything).not.toContain(terminal.credentials.password);
});

test('findCardNumbers: finds a card number in every spelling, and nothing else', () => {
  const { number } = VISA_18;
  const grouped = number.replaceAll(/(....)(?=.)/g, '$1 ');
  for (const text of [
    number,
    `{"pan":"${number}"}`,
    `5A08${number}5F340101`,
    `number ${grouped} of a card`,
  ]) {
    expect(findCardNumbers(text), text).toEqual(['476173...0010']);
  }
  expect(findCardNumbers('card 4242424242424242, paid')).toEqual(['424242...4242']);
  // A test card is found in any surroundings; another number might be a part of an id.
  expect(findCardNumbers('a4242424242424242b')).toEqual(['424242...4242']);
  const harmless = [
    'ps_01JGXDFAM0Y2QZJP0SHDFV20F9 at 1767603600000',
    '4761730000 and 4242424242424241',
    'a4929939187355598b',
    '476173...0010',
  ];
  expect(findCardNumbers(harmless.join(' '))).toEqual([]);
});
