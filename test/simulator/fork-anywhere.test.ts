import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { COUNTER_ID, openFork, startCounter, type Counter } from './terminal-counter.ts';

type Keys = Extract<SimulationAct, { act: 'press-keys' }>['keys'];

const insert: SimulationAct = { act: 'present-card', card: 'visa-contact-pin' };
const tap: SimulationAct = { act: 'present-card', card: 'visa-contactless' };
const press = (...keys: Keys): SimulationAct => ({ act: 'press-keys', keys });
const right = press('1', '2', '3', '4', 'enter');

/** What people, networks, power and a point of sale can do at a counter. A number is time that passes, in milliseconds. */
const MOVES: Record<string, (SimulationAct | number | ((counter: Counter) => void))[]> = {
  'a payment': [startPayment('Terminal')],
  'a payment, receipts at the point of sale': [startPayment('PointOfSale')],
  'as far as the PIN': [startPayment('Terminal'), insert, 1000],
  'as far as the receipts': [startPayment('PointOfSale'), tap, 1000],
  'merchant copy confirmed': [confirm('merchantCopy')],
  'customer copy confirmed': [confirm('customerCopy')],
  'card inserted': [insert],
  'card tapped': [tap],
  'unreadable card': [{ act: 'present-card', card: 'visa-unreadable' }],
  'card removed': [{ act: 'remove-card' }],
  'two digits': [press('1', '2')],
  'the rest of the PIN': [press('3', '4', 'enter')],
  'right PIN': [right],
  'wrong PIN': [press('9', '9', '9', '9', 'enter')],
  'cancel key': [press('cancel')],
  'power off': [{ act: 'power', state: 'off' }],
  'power on': [{ act: 'power', state: 'on' }],
  'network cut': [{ act: 'network', state: 'off' }],
  'network restored': [{ act: 'network', state: 'on' }],
  'reader unplugged': [{ act: 'reader', state: 'unplugged' }],
  'reader plugged in': [{ act: 'reader', state: 'plugged-in' }],
  'paper out': [{ act: 'paper', sheets: 0 }],
  'one sheet': [{ act: 'paper', sheets: 1 }],
  'cardholder with a wrong PIN': [{ act: 'cardholder', script: 'wrong-pin-twice', delayMs: 3000 }],
  'hasty cardholder': [{ act: 'cardholder', script: 'remove-early', delayMs: 0 }],
  'no cardholder': [{ act: 'cardholder', script: 'none' }],
  moment: [70],
  second: [1000],
  minute: [60_000],
};

function startPayment(receiptPrintingSource: 'Terminal' | 'PointOfSale') {
  return ({ server }: Counter) => void server.start(COUNTER_ID, { receiptPrintingSource });
}

function confirm(copy: 'merchantCopy' | 'customerCopy') {
  return ({ server }: Counter) => {
    const actionId = server.memory.starts.get(COUNTER_ID)?.actionId;
    if (actionId) server.confirm(COUNTER_ID, actionId, copy);
  };
}

async function make(counter: Counter, name: string): Promise<void> {
  for (const move of MOVES[name]!) {
    if (typeof move === 'number') await counter.clock.advance(move);
    else if (typeof move === 'object') await counter.perform(move);
    else {
      move(counter);
      await counter.clock.advance(0);
    }
  }
}

/** What two terminals in the same situation have in common. The number of messages differs by an inquiry. */
async function situationOf({ terminal, clock }: Counter) {
  const { agent, ...environment } = await terminal.exportState();
  const { action, ...rest } = agent;
  return { ...environment, ...rest, snapshot: action?.snapshot, due: clock.due, screen: terminal.screen };
}

const moves = fc.array(fc.constantFrom(...Object.keys(MOVES)), { maxLength: 20 });

test('a simulated terminal, exported in any situation: the fork does whatever the original does, at the same instants', async () => {
  await fc.assert(fc.asyncProperty(moves, moves, forked), { numRuns: 60 });
});

async function forked(before: string[], after: string[]): Promise<void> {
  const original = await startCounter({ cardholder: { script: 'none' } });
  for (const name of before) await make(original, name);
  const fork = openFork(original, await original.terminal.exportState());
  fork.terminal.start();
  await fork.clock.advance(0);
  expect(await situationOf(fork)).toEqual(await situationOf(original));

  for (const name of after) {
    await make(original, name);
    await make(fork, name);
    expect(await situationOf(fork)).toEqual(await situationOf(original));
  }
}
