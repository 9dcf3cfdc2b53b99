import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import type { Start } from './fake-server.ts';
import { COUNTER_ID, startCounter, type Counter } from './terminal-counter.ts';

const present = (card: string): SimulationAct => ({ act: 'present-card', card });
const press = (...keys: Extract<SimulationAct, { act: 'press-keys' }>['keys']): SimulationAct => ({
  act: 'press-keys',
  keys,
});
const power = (state: 'off' | 'on'): SimulationAct => ({ act: 'power', state });
const network = (state: 'off' | 'on'): SimulationAct => ({ act: 'network', state });
const paper = (sheets: number): SimulationAct => ({ act: 'paper', sheets });
const pass = (seconds: number) => (counter: Counter) => counter.clock.advance(seconds * 1000);
const confirm = (copy: 'merchantCopy' | 'customerCopy') => async (counter: Counter) => {
  counter.server.confirm(COUNTER_ID, counter.server.memory.starts.get(COUNTER_ID)!.actionId, copy);
  await counter.clock.advance(0);
};

const startAnother = async (counter: Counter) => {
  counter.server.start(COUNTER_ID);
  await counter.clock.advance(1000);
};

type Move = SimulationAct | ((counter: Counter) => Promise<void>);

export async function play(counter: Counter, moves: readonly Move[]): Promise<void> {
  for (const move of moves) await (typeof move === 'function' ? move(counter) : counter.perform(move));
}

interface ForkCase {
  name: string;
  start?: Start;
  /** Whether the original's server authorises. */
  decides?: false;
  moves: readonly Move[];
  powerWasCut?: true;
  /** State of the terminal's machine at the fork; undefined without an action or power. */
  state: string | undefined;
  /** What happens in each fork, its last state, and whether its server authorises. */
  ends: readonly (readonly [readonly Move[], string | undefined, { decides: boolean }?])[];
}

const pin: Move = press('1', '2', '3', '4', 'enter');
const inserted = [pass(1), present('visa-contact-pin'), pass(1)];
const tills: Start = { receiptPrintingSource: 'PointOfSale' };
const tapped = [present('visa-contactless'), pass(1)];
const timedOut = 'abandoning';

/** The states in which a terminal waits, and how it goes on from there. */
export const FORK_CASES: readonly ForkCase[] = [
  {
    name: 'waits for a card',
    moves: [pass(5)],
    state: 'awaitingCard',
    ends: [
      [tapped, 'succeeded'],
      [[pass(114)], 'awaitingCard'],
      [[pass(115)], timedOut],
    ],
  },
  {
    name: 'reads an inserted card',
    moves: [pass(5), present('visa-contact-pin'), (counter) => counter.clock.advance(100)],
    state: 'reading',
    ends: [
      [[(counter) => counter.clock.advance(49)], 'reading'],
      [[(counter) => counter.clock.advance(50)], 'awaitingPin'],
      [[{ act: 'remove-card' }], 'awaitingCard'],
    ],
  },
  {
    name: 'waits for a PIN without a digit',
    moves: inserted,
    state: 'awaitingPin',
    ends: [
      [[pin], 'succeeded'],
      [[press('cancel')], 'abandoning'],
      [[{ act: 'remove-card' }], 'awaitingCard'],
    ],
  },
  {
    name: 'waits for a PIN with two digits',
    moves: [...inserted, press('1', '2'), pass(20)],
    state: 'awaitingPin',
    ends: [
      [[press('3', '4', 'enter')], 'succeeded'],
      [[press('clear', '3', '4', 'enter')], 'awaitingPin'],
      [[pass(39)], 'awaitingPin'],
      [[pass(40)], timedOut],
    ],
  },
  {
    name: 'waits for Enter after four digits',
    moves: [...inserted, press('1', '2', '3', '4')],
    state: 'awaitingPin',
    ends: [
      [[press('enter')], 'succeeded'],
      [[press('5', 'enter')], 'awaitingPin'],
    ],
  },
  {
    name: 'waits for a PIN after a wrong one',
    moves: [...inserted, press('9', '9', '9', '9', 'enter'), pass(1)],
    state: 'awaitingPin',
    ends: [
      [[pin], 'succeeded'],
      // The card allows three tries: after two more wrong ones the issuer decides without a PIN.
      [[press('8', '8', '8', '8', 'enter')], 'awaitingPin'],
      [[press('8', '8', '8', '8', 'enter'), press('7', '7', '7', '7', 'enter')], 'succeeded'],
    ],
  },
  {
    name: 'authorises',
    decides: false,
    moves: [...tapped, pass(10)],
    state: 'authorising',
    ends: [
      [[], 'succeeded'],
      [[pass(19)], 'authorising', { decides: false }],
      [[pass(20)], 'reversing', { decides: false }],
    ],
  },
  {
    name: 'waits for the merchant copy',
    start: tills,
    moves: tapped,
    state: 'approved.awaitingMerchantReceipt',
    ends: [
      [[confirm('merchantCopy')], 'approved.awaitingCustomerReceipt'],
      [[confirm('merchantCopy'), confirm('customerCopy')], 'succeeded'],
    ],
  },
  {
    name: 'waits for the customer copy',
    start: tills,
    moves: [...tapped, confirm('merchantCopy')],
    state: 'approved.awaitingCustomerReceipt',
    ends: [
      [[pass(10)], 'approved.awaitingCustomerReceipt'],
      [[confirm('customerCopy')], 'succeeded'],
    ],
  },
  {
    name: 'has no paper',
    moves: [paper(0)],
    state: 'awaitingCard',
    ends: [
      [tapped, 'succeeded'],
      [[paper(2), ...tapped], 'succeeded'],
    ],
  },
  {
    name: 'has no power',
    moves: [...inserted, power('off')],
    powerWasCut: true,
    state: undefined,
    ends: [
      [[pass(300)], undefined],
      [[power('on')], 'awaitingCard'],
    ],
  },
  {
    name: 'has power again, but no network',
    moves: [...inserted, network('off'), power('off'), power('on')],
    powerWasCut: true,
    state: 'awaitingPin',
    ends: [
      [[network('on')], 'awaitingCard'],
      [[pass(300)], 'awaitingPin'],
    ],
  },
  {
    name: 'has no network',
    moves: [...inserted, network('off'), press('1')],
    state: 'awaitingPin',
    ends: [
      [[press('2', '3', '4', 'enter')], 'authorising'],
      [[network('on'), press('2', '3', '4', 'enter')], 'succeeded'],
    ],
  },
  {
    name: 'is idle after a payment, with another card at the reader',
    moves: [...tapped, pass(5), present('visa-contact-pin')],
    state: undefined,
    ends: [
      [[], undefined],
      [[startAnother], 'awaitingPin'],
    ],
  },
];

/** Opens a counter whose terminal has come to the state of the case. */
export async function arrive({ start, decides, moves }: ForkCase): Promise<Counter> {
  const counter = await startCounter({
    cardholder: { script: 'none' },
    ...(decides === false && { decides }),
  });
  counter.server.start(COUNTER_ID, start);
  await counter.clock.advance(0);
  await play(counter, moves);
  return counter;
}
