import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ONLINE_DECLINES, TEST_CARDS, type Authentication } from '../../protocol/test-cards.ts';
import { readCard } from '../../server/bank/issuer/card.ts';
import { readSources } from './source-tree.ts';

const PAGE = join(import.meta.dirname, '../../docs/online-payments.md');

const STEPS: Record<Authentication, string[]> = {
  frictionless: ['Frictionless: nothing to do', 'Frictionless'],
  identify: ['`Identify`: the issuer identifies the browser'],
  identifyThenChallenge: ['`Identify`, then `Challenge`: the cardholder enters a code'],
  challenge: ['`Challenge` at once'],
};

/** Returns the lines of a table, padded as prettier does. */
function tableOf(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(rows[0]!), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)];
}

function authenticated(): string[] {
  const rows = Object.entries(STEPS).flatMap(([threeDs, texts]) => {
    const numbers = (['Visa', 'Mastercard', 'Amex'] as const).map((scheme) =>
      TEST_CARDS.filter((card) => card.scheme === scheme && 'threeDs' in card && card.threeDs === threeDs),
    );
    return Array.from({ length: Math.max(...numbers.map(({ length }) => length)) }, (_, place) => [
      ...numbers.map((cards) => (cards[place] ? `\`${cards[place].number}\`` : '')),
      texts[place] ?? texts[0]!,
    ]);
  });
  return tableOf([['Visa', 'Mastercard', 'American Express', 'Authentication'], ...rows]);
}

function declined(): string[] {
  const rows = ONLINE_DECLINES.map(({ number, cvc, code }) =>
    [number, cvc, code].map((cell) => `\`${cell}\``),
  );
  return tableOf([['Number', '`cvc`', '`lastError`'], ...rows]);
}

/** Replaces the table with the same cells in its first line. */
function withTable(lines: readonly string[], table: readonly string[]): string[] {
  const cells = (line: string) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .join('|');
  const begin = lines.findIndex((line) => cells(line) === cells(table[0]!));
  expect(begin, `docs/online-payments.md has the table ${table[0]}`).toBeGreaterThan(0);
  const length = lines.slice(begin).findIndex((line) => !line.startsWith('|'));
  return lines.toSpliced(begin, length, ...table);
}

// `npm run docs` runs this with --update, which writes the tables.
test('docs/online-payments.md: its tables are those of the test cards', async () => {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const page = [authenticated(), declined()].reduce(withTable, lines).join('\n');
  await expect(page, "docs/online-payments.md is out of date: run 'npm run docs'").toMatchFileSnapshot(PAGE);
});

test('card numbers: in the product they are in protocol/test-cards.ts alone', () => {
  const folders = ['protocol', 'agent', 'simulator', 'server', 'world', 'testing', 'cli'];
  const others = readSources(folders)
    .filter(({ path }) => path !== 'protocol/test-cards.ts')
    .flatMap(({ path, text }) => numbersIn(text).map((number) => `${path}: ${number.slice(0, 6)}…`));
  expect(others).toEqual([]);
});

function numbersIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w.-])[0-9]{13,19}(?![\w.-])/g)]
    .map(([number]) => number)
    .filter((number) => readCard(number, { month: '12', year: '2030' }) !== undefined);
}
