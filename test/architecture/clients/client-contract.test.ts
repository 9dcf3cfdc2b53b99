import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { CONTRACT, contractTable, isMeansOfLanguage, namesOf } from './contract.ts';
import { LANGUAGES, publicMembers, type Language } from './public-members.ts';

const README = join(import.meta.dirname, '../../../clients/README.md');

const EACH = Object.keys(LANGUAGES) as Language[];

const declaredIn = (language: Language) =>
  CONTRACT.types.flatMap((type) =>
    type.members.map((member) => ({ type, member, names: namesOf(language, type, member) })),
  );

test.for(EACH)('contract of the clients: %s has each member', (language) => {
  const members = publicMembers(language);
  const declared = declaredIn(language);
  expect(declared.length).toBeGreaterThan(100);
  const missing = declared.flatMap(({ type, member, names }) =>
    names.length === 0
      ? [`${type.type}.${member.name}: contract.json gives it no name in ${language}`]
      : names.filter((name) => !isMeansOfLanguage(name) && !members.has(name)),
  );
  expect(missing).toEqual([]);
});

test.for(EACH)('contract of the clients: it has each public member of %s', (language) => {
  const names = new Set(declaredIn(language).flatMap((declared) => declared.names));
  const own = CONTRACT.own[language];
  const undeclared = [...publicMembers(language)]
    // A type whose members are declared is declared.
    .filter((name) => ![...names, ...own].some((known) => known === name || known.startsWith(`${name}.`)))
    .filter((name) => !own.some((type) => name.startsWith(`${type}.`)));
  expect(undeclared.toSorted(), 'add these to clients/contract.json').toEqual([]);
});

test.for(EACH)(
  'contract of the clients: what %s has alone is there, and no part of what all have',
  (language) => {
    const members = publicMembers(language);
    const names = new Set(declaredIn(language).flatMap((declared) => declared.names));
    const wrong = CONTRACT.own[language].filter((name) => !members.has(name) || names.has(name));
    expect(wrong).toEqual([]);
  },
);

// `npm run docs` runs this with --update, which writes the page.
test('clients/README.md: has the table of the contract', async () => {
  const parts = readFileSync(README, 'utf8').split(
    /(?<=<!-- contract -->\n)[^]*(?=\n<!-- end of the contract -->)/,
  );
  expect(parts).toHaveLength(2);
  const page = parts.join(`\n${contractTable()}`);
  const formatted = await format(page, { ...(await resolveConfig(README)), filepath: README });
  await expect(formatted).toMatchFileSnapshot(README);
});
