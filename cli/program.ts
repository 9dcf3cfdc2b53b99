import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { Fault, messageOf } from '../protocol/failures.ts';
import { bindArguments, EXIT, usageOf, type Command } from './command-line/command.ts';
import { COMMANDS, commandsNamed, loadAllCommands } from './commands.ts';
import { readOptions, describeOption } from './command-line/option.ts';
import { SETTINGS } from './command-line/config.ts';
import type { CommandContext } from './command-line/command-context.ts';
import { printLine, withSafeSinks } from './command-line/output.ts';

const ABOUT =
  'The in-person payments stack on your laptop: simulated card terminals and the whole payments API.';
const START = `
To begin:
  tapbench up             starts server, broker and one simulated terminal; prints how to take a payment
  tapbench pay 1742       takes a payment of 17.42 on that terminal, from another window
  tapbench listen         prints each webhook as it arrives`;

/**
 * Runs a command line and returns its exit code. An error prints one line on standard error, with the stack trace
 * when LOG_LEVEL is debug or trace.
 */
export async function runProgram(argv: string[], given: CommandContext, version: string): Promise<number> {
  const context = withSafeSinks(given);
  let code: number = EXIT.ok;
  let failed: number = EXIT.failed;
  try {
    const declarations = await load(argv);
    if (typedCommand(argv, declarations)?.isJudge) {
      failed = EXIT.notJudged;
      context.onJudge?.();
    }
    const program = buildProgram(declarations, context, version, (ended) => (code = ended));
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its message already; --help ends with code 0.
    if (error instanceof CommanderError) return error.exitCode === EXIT.ok ? EXIT.ok : failed;
    if (context.interrupted.aborted) return EXIT.interrupted;
    // What it quotes may come from outside.
    for (const line of explain(error, context).split('\n')) printLine(context.err, line);
    return failed;
  }
}

/** Returns the word that names a command; undefined for none. */
function wordOf(argv: readonly string[]): string | undefined {
  return wordsOf(argv)[0];
}

function wordsOf(argv: readonly string[]): string[] {
  return argv.filter((word) => !word.startsWith('-') && word !== 'help');
}

/** Returns the command that is typed, such as `certify endpoint`. */
function typedCommand(
  argv: readonly string[],
  declarations: ReadonlyMap<string, Command>,
): Command | undefined {
  const [word, second] = wordsOf(argv);
  return declarations.get(`${word} ${second}`) ?? declarations.get(word ?? '');
}

/** Loads only the command that is typed, by its name; the list of commands shows the summaries of the others. */
async function load(argv: readonly string[]): Promise<Map<string, Command>> {
  const loaded = await Promise.all(commandsNamed(wordOf(argv)).map((name) => COMMANDS[name]!.load()));
  return new Map(loaded.map((declared) => [declared.name, declared]));
}

function buildProgram(
  declarations: ReadonlyMap<string, Command>,
  context: CommandContext,
  version: string,
  ended: (code: number) => void,
): Commander {
  const { out, err } = context;
  const program = new Commander('tapbench')
    .description(ABOUT)
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand('help [command]', 'Print the help of a command')
    .addHelpText('after', START)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'tapbench: ')),
    })
    .configureHelp({ subcommandTerm: (typed) => typed.name() })
    .showSuggestionAfterError()
    // So that `terminals add` has its own options, not those of `terminals`.
    .enablePositionalOptions();
  for (const [name, { summary }] of Object.entries(COMMANDS)) {
    const declared = declarations.get(name);
    if (declared) addCommand(program, declared, context, ended);
    else if (!name.includes(' ')) program.command(name).summary(summary);
  }
  return program;
}

function addCommand(
  program: Commander,
  declared: Command,
  context: CommandContext,
  ended: (code: number) => void,
): void {
  const [first = '', second] = declared.name.split(' ');
  const parent = second === undefined ? program : program.commands.find((known) => known.name() === first)!;
  const { summary } = COMMANDS[declared.name]!;
  const typed = parent.command(second ?? first).summary(summary);
  typed.description([summary, declared.details].filter(Boolean).join('\n\n'));
  const usage = usageOf(declared).split(' ').slice(declared.name.split(' ').length);
  typed.usage(['[options]', ...usage].join(' '));
  // All optional to commander, which allows optional arguments only at the end; bindArguments checks the required
  // ones.
  for (const [name, { description }] of Object.entries(declared.parameters))
    typed.argument(`[${name}]`, description);
  if (declared.rest !== undefined) typed.argument('[command...]', declared.rest);
  const subcommands = subcommandsOf(declared);
  // So that the message about a subcommand that does not exist is that of the action below.
  if (subcommands.length > 0) typed.allowExcessArguments();
  for (const option of Object.values(declared.options)) {
    if (option.flag === undefined) continue;
    const flag = new CommanderOption(option.flag, describeOption(option));
    typed.addOption(option.isList ? flag.argParser(append) : flag);
  }
  typed.helpOption('-h, --help', 'Print this help').addHelpText('after', helpTail(declared));
  typed.action(async () => {
    if (subcommands.length > 0 && typed.args.length > Object.keys(declared.parameters).length)
      throw new Fault('bad_setting', noSubcommand(declared, typed.args.at(-1)!, subcommands));
    const args = bindArguments(declared.parameters, typed.args);
    const rest = typed.args.slice(Object.keys(declared.parameters).length);
    const options = readOptions(declared.options, typed.opts(), context.env);
    ended(await declared.run({ context, args, rest, options, loadAllCommands }));
  });
}

function subcommandsOf({ name }: Command): string[] {
  return Object.keys(COMMANDS).filter((other) => other.startsWith(`${name} `));
}

function noSubcommand({ name }: Command, word: string, subcommands: readonly string[]): string {
  const all = [name, ...subcommands].map((each) => `'tapbench ${each}'`).join(', ');
  return `there is no command 'tapbench ${name} ${word}': type one of ${all}`;
}

function append(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Returns the parts of the help that commander does not print: environment variables, examples, exit codes. */
function helpTail({ options, examples, exitCodes }: Command): string {
  const settings = Object.values(options).filter(({ flag }) => flag === undefined);
  const section = (title: string, lines: [string, string][]) => {
    const width = Math.max(...lines.map(([left]) => left.length));
    return [`\n${title}:`, ...lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)];
  };
  return [
    ...(settings.length === 0
      ? []
      : section(
          'Environment',
          settings.map((setting) => [setting.env!, describeOption(setting)]),
        )),
    ...section(
      'Examples',
      examples.map(({ line, description }) => [line, description]),
    ),
    ...section('Exit codes', Object.entries(exitCodes)),
  ].join('\n');
}

function explain(error: unknown, { env }: CommandContext): string {
  const debugs = ['debug', 'trace'].includes(env[SETTINGS.logLevel.env!] ?? '');
  if (debugs && error instanceof Error) return error.stack ?? error.message;
  if (error instanceof Fault) return `tapbench: ${error.message}`;
  return `tapbench: unexpected: ${messageOf(error)} (LOG_LEVEL=debug shows where)`;
}
