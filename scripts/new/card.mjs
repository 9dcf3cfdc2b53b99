// @ts-check
import { camelOf, checkName, formsOf, UsageError } from './names.mjs';

const CARDS = 'protocol/test-cards.ts';
const CODES = 'server/bank/issuer/decline-codes.ts';
const BANK = 'simulator/twins/stand-alone/bank.ts';
const PLAIN = '4242424242424242';
const LIST = 'simulator/cards/card-files.ts';

/**
 * A simulated card: its profile, its rows in the list of cards and a test.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} name
 * @param {{ declines?: string | undefined }} options code with which its issuer declines it
 */
export function addCard(changes, name, { declines }) {
  checkName(name);
  const profile = `simulator/cards/profiles/${name}.json`;
  if (changes.has(profile)) throw new UsageError(`the card '${name}' already exists: choose another name`);
  const number = declines === undefined ? PLAIN : addDeclined(changes, declines);
  const forms = {
    ...formsOf(name),
    number,
    lastFour: number.slice(-4),
    bin: number.slice(0, 6),
    declines: declines ?? '',
  };
  changes.create(profile, 'card/card.json.txt', forms);
  changes.create(
    `test/simulator/cards/${name}.test.ts`,
    declines === undefined ? 'card/card.test.ts.txt' : 'card/declined.test.ts.txt',
    forms,
  );
  // As `npm run cards` writes the list: the imports are sorted by file, and new cards come last.
  const lines = changes.read(LIST).match(/^import .+\n/gm) ?? [];
  const next = lines.find((line) => line.includes('/chips/') || line > importOf(name)) ?? '\n';
  changes.insertBefore(LIST, next, importOf(name));
  changes.append(
    LIST,
    'export const PROFILES: Record<string, unknown> = {',
    `  '${name}': ${camelOf(name)},`,
  );
  return [
    ...(declines === undefined
      ? []
      : [`${BANK} has the result code of ISO 8583 for ${declines}: 5, do not honour, unless it had one`]),
    `${profile} is a contactless Visa: change it, and its test with it. Its number is that of a row of protocol/test-cards.ts`,
    "with a 'chip' part it also works in twins of readers: npm run cards issues the chip",
    'CHANGELOG.md says that it is there. npm run docs adds it to docs/openapi.json and to the constants of the clients',
  ];
}

/** @param {string} name */
function importOf(name) {
  return `import ${camelOf(name)} from './profiles/${name}.json' with { type: 'json' };\n`;
}

/**
 * Adds a test card that is declined at terminals. Returns its number.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} code
 */
function addDeclined(changes, code) {
  const meanings = [...changes.read(CODES).matchAll(/^ {2}'?(\w+)'?: '(.+)',$/gm)];
  if (!meanings.some(([, each]) => each === code)) {
    const lines = meanings.map(([, each, meaning]) => `  ${each}: ${meaning}`);
    throw new UsageError(`--declines: '${code}' is none of\n${lines.join('\n')}`);
  }
  const number = freeNumber(changes.read(CARDS));
  changes.append(
    CARDS,
    'export const TEST_CARDS = [',
    `  { number: '${number}', scheme: 'Visa', inPerson: '${code}' },`,
  );
  const rows = 'const RESULT_CODES: Record<MagicDecline | InPersonDecline, number> = {';
  const given = (changes.read(BANK).split(rows)[1] ?? '').split('\n};')[0] ?? '';
  if (!new RegExp(`^ {2}'?${code}'?:`, 'm').test(given))
    changes.append(BANK, rows, `  ${/^\d/.test(code) ? `'${code}'` : code}: 5, // do not honour`);
  return number;
}

/**
 * Returns a number of a range that networks keep for tests, with its check digit (ISO/IEC 7812), which no card has.
 * @param {string} cards
 */
function freeNumber(cards) {
  for (let serial = 101; ; serial++) {
    const digits = `400000000000${serial}`;
    const sum = [...digits].toReversed().reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    const number = `${digits}${(10 - (sum % 10)) % 10}`;
    if (!cards.includes(number)) return number;
  }
}
