import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../protocol/package-root.ts';
import { paperSvg } from '../../../../simulator/twins/escpos/paper-svg.ts';
import { paperText } from '../../../../simulator/twins/escpos/paper-text.ts';
import { openPrinter } from './printer-fixture.ts';

const page = readFileSync(join(packageRoot(), 'docs/readers/escpos.md'), 'utf8');

/** The bytes that `printf` makes of its text. */
function printed(text: string): Buffer {
  const letters = text
    .replaceAll('\\n', '\n')
    .replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(letters, 'latin1');
}

test('docs/readers/escpos.md: its command prints the receipt of its picture', async () => {
  const { host, clock, printer, problems } = openPrinter();
  await host.write(printed(/^printf '(.*)' \|/m.exec(page)![1]!));
  await clock.advance(2);
  expect(problems()).toEqual([]);
  const [receipt] = printer.receipts;
  expect(paperText(receipt!)).toMatch(
    /^ +Leeds Shop\nCoffee +3\.20\nTotal +3\.20\n +\[QR: https:\/\/x\/1\]\n$/,
  );
  await expect(
    paperSvg(receipt!),
    "docs/pictures/escpos-receipt.svg is out of date: run this test with '--update'",
  ).toMatchFileSnapshot(join(packageRoot(), 'docs/pictures/escpos-receipt.svg'));
});

test('docs/readers/escpos.md: names the problems that the printer names', async () => {
  const { send, problems, host, clock } = openPrinter();
  await send("1B70001B7001 'abcdef' 1D6B4303 '123' 0A 1D76300030006400");
  await host.close();
  await clock.advance(1);
  const texts = problems().map((problem) => problem.replace(/^\d+: /, ''));
  for (const [, text] of page.matchAll(/^byte \d+: (.*)$/gm)) expect(texts).toContain(text);
});
