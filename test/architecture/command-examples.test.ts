import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAllCommands } from '../../cli/commands.ts';
import { AREAS } from '../system/command-examples/areas.ts';

const FOLDER = join(import.meta.dirname, '../system/command-examples');
const ROWS = Object.values(AREAS).flatMap((rows) => Object.keys(rows));

test('examples: each line that the help of a command prints has one row, and each row is one of these lines', async () => {
  const commands = await loadAllCommands();
  const lines = commands.flatMap(({ examples }) => examples.map(({ line }) => line));
  expect(
    ROWS.toSorted(),
    'add a row for each new example to a table of test/system/command-examples, and remove that of an old one',
  ).toEqual(lines.toSorted());
});

test('examples: each command has one', async () => {
  const commands = await loadAllCommands();
  expect(commands.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
});

test.each(Object.keys(AREAS))('examples: the rows of %s are run', (area) => {
  const file = readFileSync(join(FOLDER, `${area}.test.ts`), 'utf8');
  expect(file).toContain(`runExamples('${area}');`);
});
