import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { numberWith, ONLINE_DECLINES, PLAIN_NUMBER, TEST_CARDS } from '../../protocol/test-cards.ts';
import { CARD_NAMES } from '../../simulator/cards/card-registry.ts';
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');

const PYTHON_EVENTS = `"""Types of the events that the server sends. Written by \`npm run docs\`."""

EVENT_TYPES = (
${EVENT_TYPE_NAMES.map((name) => `    "${name}",\n`).join('')})
"""All event types, in the order of the server's documentation."""
`;

const PHP_EVENTS = `<?php

declare(strict_types=1);

namespace Tapbench;

/** Types of the events that the server sends. Written by \`npm run docs\`. */
final class EventTypes
{
    /** All event types, in the order of the server's documentation. */
    public const ALL = [
${EVENT_TYPE_NAMES.map((name) => `        '${name}',\n`).join('')}    ];
}
`;

const DECLINED = ONLINE_DECLINES.find(({ code }) => code === 'insufficient_funds')!;

/** The cards that the clients pay with online: a constant for each, what a payment with it does, number, security code. */
const CARDS = [
  ['APPROVED', 'Is approved without authentication.', PLAIN_NUMBER, '123'],
  ['CHALLENGED', 'Its issuer challenges the cardholder (3DS).', numberWith('challenge'), '123'],
  ['DECLINED', `Is declined: \`${DECLINED.code}\`.`, DECLINED.number, DECLINED.cvc],
] as const;

const PYTHON_CARDS = `"""Numbers and security codes of test cards. Written by \`npm run docs\`."""

${CARDS.map(([name, what, number, cvc]) => `${name} = ("${number}", "${cvc}")\n"""${what}"""\n`).join('')}`;

const PHP_CARDS = `<?php

declare(strict_types=1);

namespace Tapbench;

/** Numbers and security codes of test cards. Written by \`npm run docs\`. */
final class TestCards
{
${CARDS.map(([name, what, number, cvc]) => `    /** ${what} */\n    public const ${name} = ['${number}', '${cvc}'];\n`).join('')}}
`;

// `npm run docs` runs this with --update, which writes the files.
test.for([
  ['python/src/tapbench/event_types.py', PYTHON_EVENTS],
  ['php/src/EventTypes.php', PHP_EVENTS],
  ['python/src/tapbench/cards.py', PYTHON_CARDS],
  ['php/src/TestCards.php', PHP_CARDS],
] as const)('clients/%s: has the table of the server', async ([path, text]) => {
  await expect(text, `clients/${path} is out of date: run 'npm run docs'`).toMatchFileSnapshot(
    join(CLIENTS, path),
  );
});

test('clients: no card number is written outside the tables that npm run docs writes', () => {
  const others = readdirSync(CLIENTS, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(py|php|json)$/.test(path) && !/\b(tapbench\/cards\.py|TestCards\.php)$/.test(path))
    .filter((path) => !/(^|\/)(vendor|\.venv)\//.test(path))
    .flatMap((path) =>
      TEST_CARDS.filter(({ number }) => readFileSync(join(CLIENTS, path), 'utf8').includes(number)).map(
        ({ number }) =>
          `clients/${path} has the number ${number.slice(0, 6)}…: use a card of cards.py or TestCards.php, which test/architecture/client-tables.test.ts writes`,
      ),
    );
  expect(others).toEqual([]);
});

test('clients: each simulated card that they name is one of the simulator', () => {
  const named = readdirSync(CLIENTS, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(py|php|json)$/.test(path) && !/(^|\/)(vendor|\.venv)\//.test(path))
    .flatMap((path) =>
      [
        ...readFileSync(join(CLIENTS, path), 'utf8').matchAll(
          /["']((?:visa|mastercard|amex)(?:-[a-z]+)+)["']/g,
        ),
      ].map(([, card]) => [path, card!] as const),
    );
  expect(named.length).toBeGreaterThan(0);
  const unknown = named
    .filter(([, card]) => !CARD_NAMES.includes(card))
    .map(
      ([path, card]) =>
        `clients/${path} names the card ${card}, which simulator/cards/profiles does not have`,
    );
  expect(unknown).toEqual([]);
});
