// @ts-check
import { checkName, formsOf, UsageError } from './names.mjs';

/**
 * A command of the command line: its file, its row, its test and the row of its example.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} name
 */
export function addCommand(changes, name) {
  checkName(name);
  const table = 'cli/commands.ts';
  if (new RegExp(`^ {2}'?${name}'?: \\{`, 'm').test(changes.read(table)))
    throw new UsageError(`the command '${name}' already exists: choose another name`);
  const forms = formsOf(name);
  changes.create(`cli/commands/${name}.ts`, 'command/command.ts.txt', forms);
  changes.create(`test/cli/commands/${name}.test.ts`, 'command/command.test.ts.txt', forms);
  changes.append(
    table,
    'export const COMMANDS: Record<string, CommandEntry> = {',
    `  '${name}': {
    summary: 'Print the time of the sandbox as a number',
    load: async () => (await import('./commands/${name}.ts')).${forms.camel},
  },`,
  );
  changes.append(
    'test/system/command-examples/server-rows.ts',
    'export const SERVER_ROWS: ExampleRows = {',
    `  'tapbench ${name}': { stdout: /^\\d+\\n$/ },`,
  );
  return [
    `cli/commands/${name}.ts prints the time of the sandbox: make it do its work, and its test with it`,
    'its summary is in cli/commands.ts, what its example prints in test/system/command-examples/server-rows.ts',
  ];
}
