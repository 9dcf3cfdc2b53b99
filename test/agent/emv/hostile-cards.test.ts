import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CardError, type CardConnection, type CardTechnology } from '../../../agent/emv/card-connection.ts';
import { runContactKernel, type KernelHost } from '../../../agent/emv/contact-kernel.ts';
import { runEntryPoint } from '../../../agent/emv/entry-point.ts';
import { terminalData, type Transaction } from '../../../agent/emv/terminal.ts';
import { CardLostError } from '../../../agent/readers/card-slot.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';

// No card of ours is asked for more, and one that could keep a terminal busy for ever would be.
const COMMANDS_MAX = 600;

const random = seededRandom('hostile cards');

function transactionBy(technology: CardTechnology): Transaction {
  return {
    type: 'Payment',
    amountMinor: 20_000,
    currency: 'GBP',
    sequence: 1,
    atMs: Date.UTC(2026, 10, 20),
    countryCode: '826',
    technology,
    cvmRequiredLimitMinor: 10_000,
  };
}

const host: KernelHost = {
  random,
  refusalReason: () => undefined,
  requestPin: async () => '1234',
  pinRejected: () => {},
  goOnline: async () => ({ outcome: 'approved' }),
  submitCard: () => {},
};

async function run(connection: CardConnection): Promise<string> {
  const transaction = transactionBy(connection.technology);
  try {
    if (connection.technology === 'Contact') {
      return (await runContactKernel(connection, transaction, host)).outcome;
    }
    const known = terminalData(transaction, random);
    const { outcome } = await runEntryPoint(connection, known, {
      transaction,
      refusalReason: () => undefined,
    });
    return outcome;
  } catch (error) {
    if (error instanceof CardError || error instanceof CardLostError) return 'terminated';
    throw error;
  }
}

/** A card whose answers pass through `change`; it is gone when it was asked too often. */
function cardThat(
  technology: CardTechnology,
  answer: (command: Uint8Array, count: number) => Promise<Uint8Array>,
) {
  let commands = 0;
  const connection: CardConnection = {
    technology,
    async transceive(command) {
      commands += 1;
      if (commands > COMMANDS_MAX) throw new Error('the terminal does not come to an end');
      return answer(command, commands);
    },
    async release() {},
  };
  return connection;
}

const technologies = fc.constantFrom<CardTechnology[]>('Contact', 'Contactless');

test('kernels: random responses end the transaction without a crash or hang', async () => {
  await fc.assert(
    fc.asyncProperty(
      technologies,
      fc.array(fc.uint8Array({ minLength: 0, maxLength: 300 }), { minLength: 1, maxLength: 20 }),
      async (technology, answers) => {
        const card = cardThat(technology, async (_, count) => answers[count % answers.length]!);
        expect(await run(card)).toBe('terminated');
      },
    ),
    { numRuns: 300 },
  );
});

test('kernels: random data with status 9000 ends the transaction', async () => {
  await fc.assert(
    fc.asyncProperty(
      technologies,
      fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1 }),
      async (by, bodies) => {
        const card = cardThat(by, async (_, count) =>
          Uint8Array.of(...bodies[count % bodies.length]!, 0x90, 0x00),
        );
        expect(await run(card)).toBe('terminated');
      },
    ),
    { numRuns: 300 },
  );
});

const NAMES = {
  Contact: ['visa-contact-pin', 'mastercard-contact-pin', 'amex-contact-pin'],
  Contactless: ['visa-contactless', 'mastercard-contactless', 'amex-contactless', 'apple-pay', 'google-pay'],
};

test('kernels: a transaction with one corrupted response ends with an outcome or a CardError', async () => {
  const bend = fc.record({
    technology: technologies,
    card: fc.nat(),
    at: fc.integer({ min: 1, max: 25 }),
    byte: fc.nat({ max: 255 }),
    value: fc.nat({ max: 255 }),
    cut: fc.option(fc.nat({ max: 255 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(bend, async ({ technology, card, at, byte, value, cut }) => {
      const names = NAMES[technology];
      const chip = createChipCard(names[card % names.length]!)!.powerOn(technology);
      const bent = cardThat(technology, async (command, count) => {
        const answer = (await chip.transceive(command)) ?? Uint8Array.of(0x6f, 0x00);
        if (count !== at) return answer;
        const changed = Uint8Array.from(answer);
        changed[byte % changed.length] = value;
        return cut === undefined ? changed : changed.subarray(0, cut % (changed.length + 1));
      });
      expect(['terminated', 'declined', 'completed', 'refused', 'online']).toContain(await run(bent));
    }),
    { numRuns: 300 },
  );
}, 60_000);

test('send: ends after a limit of 61xx or 6Cxx responses', async () => {
  for (const status of [
    [0x61, 0x10],
    [0x6c, 0x10],
    [0x63, 0xc1],
  ]) {
    for (const technology of ['Contact', 'Contactless'] as const) {
      expect(await run(cardThat(technology, async () => Uint8Array.from(status)))).toBe('terminated');
    }
  }
});
