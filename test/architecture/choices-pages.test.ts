import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChoiceVerdicts } from '../../cli/compare/choice-verdicts.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const VERDICTS: ChoiceVerdicts = JSON.parse(read('compare/verdicts.json'));
/** Of headings, or of whole pages. */
const REASONS: Record<string, string> = JSON.parse(read('compare/not-shown.json')).choices;
const PAGES = readdirSync(join(ROOT, 'docs/choices'));
const BEGINNING = 'Compared with the service: ';

// `npm run docs` runs this with --update, which writes the pages.
test.each(PAGES)('docs/choices/%s: says at each choice what comparisons say of it', async (page) => {
  const path = `docs/choices/${page}`;
  await expect(withVerdicts(read(path), page.replace('.md', ''))).toMatchFileSnapshot(join(ROOT, path));
});

test('docs/choices.md: lists the choices that no call shows', async () => {
  const path = 'docs/choices.md';
  await expect(withList(read(path))).toMatchFileSnapshot(join(ROOT, path));
});

test('choices: a verdict is of a choice that there is, and that a call shows', () => {
  const all = PAGES.flatMap((page) => anchorsOf(read(`docs/choices/${page}`), page.replace('.md', '')));
  const strange = Object.keys(VERDICTS).filter(
    (choice) => !all.includes(choice) || reasonOf(choice) !== undefined,
  );
  expect(strange).toEqual([]);
});

test('choices: the line of a choice is its verdict, unknown, or why no call shows it', () => {
  const page = '# Choices: A\n\n## Ledger\n\nText.\n\n## Payouts\n\nText.\n\nCode: `a`\n';
  const once = withVerdicts(page, 'money', { 'money#payouts': { verdict: 'refuted', date: '2026-01-02' } });
  expect(once).toBe(
    `# Choices: A\n\n## Ledger\n\nText.\n\n${BEGINNING}no call shows it. ${REASONS['money#ledger']}.\n\n## Payouts\n\nText.\n\nCode: \`a\`\n\n${BEGINNING}refuted on 2026-01-02.\n`,
  );
  expect(withVerdicts(once, 'money', {})).toContain(`Code: \`a\`\n\n${BEGINNING}unknown.\n`);
});

/** Returns a page with a line at the end of each choice. */
function withVerdicts(text: string, page: string, verdicts = VERDICTS): string {
  const [head = '', ...sections] = text.split(/^(?=## )/m);
  const written = sections.map((section) => {
    const lines = section.split('\n').filter((line) => !line.startsWith(BEGINNING));
    const [anchor] = anchorsOf(section, page);
    return `${lines.join('\n').trimEnd()}\n\n${BEGINNING}${lineOf(anchor!, verdicts)}.\n`;
  });
  return [head.trimEnd(), ...written].join('\n\n').replaceAll(/\n{3,}/g, '\n\n');
}

function lineOf(choice: string, verdicts: ChoiceVerdicts): string {
  const reason = reasonOf(choice);
  if (reason !== undefined) return `no call shows it. ${reason}`;
  const known = verdicts[choice];
  return known ? `${known.verdict} on ${known.date}` : 'unknown';
}

function reasonOf(choice: string): string | undefined {
  return REASONS[choice] ?? REASONS[choice.split('#')[0]!];
}

function anchorsOf(text: string, page: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => `${page}#${anchorOf(heading!)}`);
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

const LIST = '## What no call shows';

function withList(text: string): string {
  const [before = ''] = text.split(`${LIST}\n`);
  const rows = Object.entries(REASONS).map(([choice, reason]) => `- \`${choice}\`: ${reason}.`);
  return `${before.trimEnd()}\n\n${LIST}\n\nA [comparison](compare.md) with the service says nothing of these.\n\n${rows.join('\n')}\n`;
}
