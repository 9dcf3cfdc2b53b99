import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import type { MachineShape } from '../../server/dashboard/view.ts';
import { command, type ListedCommand, usageOf } from '../command-line/command.ts';
import { stringOption, booleanOption, type Option, describeOption } from '../command-line/option.ts';
import { printLine } from '../command-line/output.ts';
import { SETTINGS } from '../command-line/config.ts';

export const docs = command({
  name: 'docs',
  details:
    'Writes openapi.json from the routes, asyncapi.json from the messages, command-line.md from the commands, ' +
    'and in machines/ a state chart of each state machine.',
  parameters: {},
  options: {
    out: stringOption({ flag: '--out <folder>', description: 'Output folder', defaultValue: 'docs' }),
    check: booleanOption('--check', 'Write nothing; exit with 1 when a document is out of date'),
  },
  examples: [{ line: 'tapbench docs --check', description: 'checks that all documents are up to date' }],
  async run({ context, options, loadAllCommands }) {
    const documents = await makeDocuments(loadAllCommands);
    if (!options.check) {
      for (const [name, content] of documents) keep(join(options.out, name), content);
      return printLine(context.err, `${documents.length} documents written to ${options.out}`);
    }
    const stale = documents.filter(([name, content]) => kept(join(options.out, name)) !== content);
    if (stale.length === 0) return;
    const names = stale.map(([name]) => name).join(', ');
    throw new Fault('bad_setting', `out of date: ${names}; run 'npm run docs'`);
  },
});

function keep(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function kept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Generates all documents. Returns the name and content of each. */
async function makeDocuments(
  loadAllCommands: () => Promise<ListedCommand[]>,
): Promise<[name: string, content: string][]> {
  const [{ asyncApiText }, { openApiDocument }, { ROUTES }] = await Promise.all([
    import('../../protocol/asyncapi.ts'),
    import('../../server/platform/http/openapi/openapi.ts'),
    import('../../server/routes.ts'),
  ]);
  return [
    ['asyncapi.json', asyncApiText(VERSION)],
    ['openapi.json', `${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`],
    ['command-line.md', `${commandLineDocument(await loadAllCommands())}\n`],
    ...(await charts()),
  ];
}

/**
 * Draws the chart of the terminal's machine, of the stand-alone terminal's and of each machine of the server, such as
 * `machines/payment-session.svg`.
 */
async function charts(): Promise<[name: string, content: string][]> {
  const [shapes, stand, agent, { SERVER_MACHINES }, { layOut }, { drawChart }] = await Promise.all([
    import('../../protocol/machine-shape.ts'),
    import('../../simulator/twins/stand-alone/terminal.machine.ts'),
    import('../../agent/inspection.ts'),
    import('../../server/machines.ts'),
    import('../../server/dashboard/chart/layout.ts'),
    import('../../server/dashboard/chart/draw.ts'),
  ]);
  const draw = async (shape: MachineShape): Promise<[string, string]> => [
    `machines/${kebab(shape.machineId)}.svg`,
    drawChart(await layOut(shape)),
  ];
  const standAlone = shapes.describeMachine(stand.standAloneMachine);
  return Promise.all([agent.ACTION_MACHINE, standAlone, ...SERVER_MACHINES].map(draw));
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

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

function describeCommand(listed: ListedCommand): string[] {
  const { details, parameters, rest, options, examples, exitCodes, summary } = listed;
  const args = Object.entries(parameters).map(([name, { description }]) => [code(name), description]);
  if (rest !== undefined) args.push([code('-- command...'), rest]);
  const settings = Object.values(options).map((option) => [
    code(option.flag ?? option.env!),
    describeOption(option),
  ]);
  return [
    `### tapbench ${listed.name}`,
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    ['```', `tapbench ${usageOf(listed)}`, '```'].join('\n'),
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
