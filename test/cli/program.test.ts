import { expect, test } from 'vitest';
import { usageOf } from '../../cli/command-line/command.ts';
import { COMMANDS, loadAllCommands } from '../../cli/commands.ts';
import { commandLineDocument } from '../../cli/commands/docs.ts';
import { SETTINGS } from '../../cli/command-line/config.ts';
import { createCliFixture } from './cli-fixture.ts';

const squeezed = (text: string) => text.replace(/\s+/g, ' ');

test('runProgram: the help lists every command with its summary', async () => {
  const on = createCliFixture();
  expect(await on.run('--help')).toBe(0);
  for (const [name, { summary }] of Object.entries(COMMANDS)) {
    if (!name.includes(' ')) expect(squeezed(on.out)).toContain(`${name} ${summary}`);
  }
  expect(on.err).toBe('');
});

test.each(Object.keys(COMMANDS))(
  'runProgram: the help of %s lists its arguments and options',
  async (name) => {
    const declared = await COMMANDS[name]!.load();
    const on = createCliFixture();
    expect(await on.run(...name.split(' '), '--help')).toBe(0);
    const help = squeezed(on.out);

    expect(declared.name).toBe(name);
    for (const word of usageOf(declared).split(' ')) expect(help).toContain(word);
    for (const { description } of Object.values(declared.parameters))
      expect(help).toContain(squeezed(description));
    for (const { flag, env, description } of Object.values(declared.options)) {
      if (flag !== undefined) expect(help).toContain(flag);
      if (env !== undefined) expect(help).toContain(env);
      expect(help).toContain(squeezed(description));
    }
    expect(declared.examples.length).toBeGreaterThan(0);
    for (const { line } of declared.examples) expect(help).toContain(line);
    for (const description of Object.values(declared.exitCodes)) expect(help).toContain(description);
  },
);

test('runProgram: help COMMAND prints the help of that command', async () => {
  const [help, flag] = [createCliFixture(), createCliFixture()];
  expect(await help.run('help', 'pay')).toBe(0);
  await flag.run('pay', '--help');
  expect(help.out).toBe(flag.out);
});

test('runProgram: suggests the command that a mistyped one resembles', async () => {
  const on = createCliFixture();
  expect(await on.run('pya')).toBe(1);
  expect(on.err).toContain('(Did you mean pay?)');
});

test('runProgram: a command that judges returns 2 for what it cannot judge, others 1', async () => {
  const code = (...words: string[]) => createCliFixture().run(...words);
  expect(await Promise.all([code('hunt', '--sed', '1'), code('hunt'), code('hunt', '--plans', 'x')])).toEqual(
    [2, 2, 2],
  );
  expect(await Promise.all([code('drill', 'lost-repl'), code('drill', '--bok'), code('drill')])).toEqual([
    2, 2, 0,
  ]);
  expect(await Promise.all([code('faults', '--sed'), code('hunt', '--help')])).toEqual([1, 0]);
});

test('COMMANDS: no command has two options with one flag', async () => {
  for (const { options } of await loadAllCommands()) {
    const flags = Object.values(options).flatMap(({ flag }) => flag?.split(' ')[0] ?? []);
    expect(new Set(flags).size).toBe(flags.length);
  }
});

test('commandLineDocument: contains every setting and command', async () => {
  const document = commandLineDocument(await loadAllCommands());
  for (const { env } of Object.values(SETTINGS)) expect(document).toContain(`| \`${env}\` |`);
  for (const name of Object.keys(COMMANDS)) expect(document).toContain(`### tapbench ${name}\n`);
});

test('runProgram: --version prints the version', async () => {
  const on = createCliFixture();
  expect(await on.run('--version')).toBe(0);
  expect(on.out).toBe('1.2.3\n');
});

test.each([
  [['bogus'], "tapbench: unknown command 'bogus'"],
  [['pay', '1', '--bogus'], "tapbench: unknown option '--bogus'"],
  [['pay', 'a', '1', 'b'], 'tapbench: too many arguments'],
  [
    ['sandbox', 'list'],
    "tapbench: there is no command 'tapbench sandbox list': type one of 'tapbench sandbox', 'tapbench sandbox create'",
  ],
  [['pay'], 'tapbench: AMOUNT is missing'],
  [['pay', '17.42'], "tapbench: AMOUNT must be whole minor units, 1742 for 17.42, not '17.42'"],
  [['server', '--port', 'x'], "tapbench: --port must be a whole number from 0 to 65535, not 'x'"],
  [['sim', '--cardholder', 'dance'], 'tapbench: --cardholder must be one of: tap'],
  [['listen', '--events', 'Foo.bar'], "tapbench: --events: 'Foo.bar' is not an event type"],
])('runProgram: %j exits with 1 and one line of explanation', async (argv, line) => {
  const on = createCliFixture();
  expect(await on.run(...argv)).toBe(1);
  expect(on.err).toContain(line);
  expect(on.err).not.toContain('    at ');
  expect(on.out).toBe('');
  expect(on.requests).toEqual([]);
});

test('runProgram: prints the stack trace only when LOG_LEVEL is debug', async () => {
  const on = createCliFixture({ LOG_LEVEL: 'debug' });
  expect(await on.run('pay')).toBe(1);
  expect(on.err).toContain('    at ');
});

test('runProgram: an interrupted command exits with 130 and prints nothing', async () => {
  const on = createCliFixture();
  on.interrupt();
  expect(await on.run('pay', '1742')).toBe(130);
  expect(on.err).toBe('');
});
