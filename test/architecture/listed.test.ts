import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../cli/command-line/config.ts';
import type { Option } from '../../cli/command-line/option.ts';
import { loadAllCommands } from '../../cli/commands.ts';
import type { DeclaredMessage } from '../../protocol/message.ts';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { MIGRATIONS } from '../../server/platform/store/migrations/migrate.ts';

const ROOT = join(import.meta.dirname, '../..');
const MESSAGES = 'protocol/messages';
const STEPS = 'server/platform/store/migrations';

test('migrations: each file of the folder is a step', () => {
  const files = readdirSync(join(ROOT, STEPS))
    .filter((name) => /^\d{4}-/.test(name))
    .map((name) => name.replace(/\.ts$/, ''));
  expect(files).toContain('0001-in-person');
  expect(
    files.filter((name) => !MIGRATIONS.some((step) => step.name === name)),
    `add a row for each of these to the end of MIGRATIONS in ${STEPS}/migrate.ts`,
  ).toEqual([]);
});

test('messages: each that a file of the folder declares is in the list of all messages', async () => {
  const isMessage = (value: unknown): value is DeclaredMessage =>
    typeof value === 'object' && value !== null && 'channel' in value && 'audience' in value;
  const declared: DeclaredMessage[] = [];
  for (const file of readdirSync(join(ROOT, MESSAGES)))
    declared.push(...Object.values<unknown>(await import(join(ROOT, MESSAGES, file))).filter(isMessage));
  expect(declared.length).toBeGreaterThan(20);
  expect(
    declared.filter((message) => !ALL_MESSAGES.includes(message)).map(({ name }) => name),
    'add these to ALL_MESSAGES in protocol/messages.ts',
  ).toEqual([]);
});

test('settings: each is an option of a command', async () => {
  const commands = await loadAllCommands();
  const taken = new Set(
    commands.flatMap(({ options }) => Object.values(options).map(({ env }: Option) => env)),
  );
  expect(
    Object.values(SETTINGS).filter(({ env }: Option) => !taken.has(env)),
    'no command takes these rows of cli/command-line/config.ts: name each in the options of its commands',
  ).toEqual([]);
});
