// @ts-check
import { camelOf, checkName, formsOf, UsageError } from './names.mjs';

const LIST = 'simulator/cards/card-files.ts';

/**
 * A simulated card: its profile, its rows in the list of cards and a test.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} name
 */
export function addCard(changes, name) {
  checkName(name);
  const profile = `simulator/cards/profiles/${name}.json`;
  if (changes.has(profile)) throw new UsageError(`the card '${name}' already exists: choose another name`);
  const forms = formsOf(name);
  changes.create(profile, 'card/card.json.txt', forms);
  changes.create(`test/simulator/cards/${name}.test.ts`, 'card/card.test.ts.txt', forms);
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
    `${profile} is a contactless Visa: change it, and its test with it. Its number is that of a row of protocol/test-cards.ts`,
    "with a 'chip' part it also works in twins of readers: npm run cards issues the chip",
  ];
}

/** @param {string} name */
function importOf(name) {
  return `import ${camelOf(name)} from './profiles/${name}.json' with { type: 'json' };\n`;
}
