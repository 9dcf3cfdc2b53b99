import { usageOf, type ListedCommand } from './command.ts';
import { SETTINGS } from './config.ts';
import { type Option, describeOption } from './option.ts';

/** Returns the content of docs/command-line.md: every setting and command, from their declarations. */
export function commandLineDocument(commands: readonly ListedCommand[]): string {
  return [
    '# Command line',
    'Written by `tapbench docs` from the declarations in `cli/`.',
    '## Settings',
    'A setting is read from the environment, or from the flag of a command that has one. The flag takes precedence.',
    table([
      ['Setting', 'Flag', 'Meaning', 'Default'],
      ...Object.values(SETTINGS).map((setting: Option) => [
        code(setting.env!),
        setting.flag === undefined ? '' : code(setting.flag),
        setting.description,
        setting.defaultText ?? code(setting.defaultValue ?? ''),
      ]),
    ]),
    '## Commands',
    ...commands.flatMap(describeCommand),
  ].join('\n\n');
}

function describeCommand(command: ListedCommand): string[] {
  const { details, parameters, rest, options, examples, exitCodes, summary } = command;
  const args = Object.entries(parameters).map(([name, { description }]) => [code(name), description]);
  if (rest !== undefined) args.push([code('-- command...'), rest]);
  const settings = Object.values(options).map((option) => [
    code(option.flag ?? option.env!),
    describeOption(option),
  ]);
  return [
    `### tapbench ${command.name}`,
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    ['```', `tapbench ${usageOf(command)}`, '```'].join('\n'),
    table([['Argument, option or setting', 'Meaning'], ...args, ...settings]),
    ...examples.map(({ line, description }) => `- ${code(line)}: ${description}`),
    `Exit codes: ${Object.entries(exitCodes)
      .map(([exit, description]) => `${exit} ${description}`)
      .join('; ')}.`,
  ];
}

function table([heading, ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading!), line(heading!.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
