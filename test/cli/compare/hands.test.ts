import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askPerson } from '../../../cli/compare/hands.ts';
import { createCliFixture } from '../cli-fixture.ts';

test('hands: a person is asked for an act, and has done it once Enter is pressed', async () => {
  const cli = createCliFixture();
  const asked = askPerson(cli.context, 'Tap a card now.', 'nowhere');
  expect(cli.err).toBe('Tap a card now. Then press Enter.\n');
  cli.type('');
  expect(await asked).toBe(true);
});

test('hands: a challenge, which nobody can type, is a page with its form until it was passed', async () => {
  const cli = createCliFixture();
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-hands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = join(folder, 'challenge.html');
  const text =
    'Post creq=eyJh"Ij as a form to https://bank.example/acs?a=1 in a browser, and pass the challenge.';
  const asked = askPerson(cli.context, text, folder);
  expect(cli.err).toBe(`Open ${page} in a browser, and pass the challenge. Then press Enter.\n`);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<form method="post" action="https://bank.example/acs?a=1">');
  expect(html).toContain('name="creq" value="eyJh&quot;Ij"');
  cli.type('');
  await asked;
  expect(existsSync(page)).toBe(false);
});
