import type { Reply } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS, connectApi, type ClientOptions, type ServerApi } from '../client/api-client.ts';
import { SCRIPT_NAMES } from '../terminals/terminal-options.ts';
import { command, required, oneOf } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { integerOption, stringOption } from '../command-line/option.ts';
import { printJson, printLine } from '../command-line/output.ts';
import { describePrinter } from '../../simulator/twins/escpos/status.ts';
import { chooseTerminal, terminalParameter } from '../client/terminal-choice.ts';

export const removeCard = command({
  name: 'remove-card',
  parameters: { terminal: terminalParameter },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench remove-card', description: 'takes the card out of the reader' }],
  run: ({ context, args, options }) =>
    act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/remove-card', { params }),
    ),
});

const KEYS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'enter', 'clear', 'cancel'] as const;

export const pressKeys = command({
  name: 'press-keys',
  parameters: {
    terminal: terminalParameter,
    keys: required('Digits, enter, clear and cancel, separated by commas, such as 1234,enter'),
  },
  options: CLIENT_OPTIONS,
  examples: [
    { line: 'tapbench press-keys 1234,enter', description: 'types a PIN' },
    { line: 'tapbench press-keys SIM-0001 cancel', description: 'presses cancel' },
  ],
  run({ context, args, options }) {
    const parts = args.keys.split(',').flatMap((part) => (/^\d+$/.test(part) ? [...part] : [part]));
    const keys = parts.map((part) => oneOf('KEYS', KEYS, part));
    return act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/press-keys', { params, body: { keys } }),
    );
  },
});

export const cardholder = command({
  name: 'cardholder',
  parameters: { terminal: terminalParameter, script: required(`One of: ${SCRIPT_NAMES.join(', ')}`) },
  options: {
    card: stringOption({
      flag: '--card <name>',
      description: 'The card that the cardholder uses, such as visa-contact-pin',
      defaultText: 'the default card of the script',
    }),
    delay: integerOption(
      { min: 0, max: 600_000 },
      { flag: '--delay <ms>', description: 'Delay before each action of the cardholder, milliseconds' },
    ),
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench cardholder none', description: 'leaves the terminal to present-card and press-keys' },
    { line: 'tapbench cardholder tap --card amex-contactless', description: 'taps an Amex at each payment' },
  ],
  run({ context, args, options }) {
    const { card, delay } = options;
    const body = { script: oneOf('SCRIPT', SCRIPT_NAMES, args.script), card, delayMs: delay };
    return act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/cardholder', { params, body }),
    );
  },
});

const ON_OFF = ['on', 'off'] as const;
const state = required('on or off');

export const power = command({
  name: 'power',
  parameters: { terminal: terminalParameter, state },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench power off', description: 'cuts the power of the only terminal' }],
  run({ context, args, options }) {
    const body = { state: oneOf('STATE', ON_OFF, args.state) };
    return act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/power', { params, body }),
    );
  },
});

export const network = command({
  name: 'network',
  parameters: { terminal: terminalParameter, state },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench network SIM-0001 off', description: 'disconnects a terminal' }],
  run({ context, args, options }) {
    const body = { state: oneOf('STATE', ON_OFF, args.state) };
    return act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/network', { params, body }),
    );
  },
});

export const reader = command({
  name: 'reader',
  parameters: { terminal: terminalParameter, state: required('unplugged or plugged-in') },
  options: CLIENT_OPTIONS,
  examples: [
    { line: 'tapbench reader unplugged', description: 'takes the card reader of the only terminal away' },
  ],
  run({ context, args, options }) {
    const body = { state: oneOf('STATE', ['unplugged', 'plugged-in'] as const, args.state) };
    return act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/reader', { params, body }),
    );
  },
});

export const paper = command({
  name: 'paper',
  parameters: { terminal: terminalParameter, sheets: required('Number of sheets, 0 for none') },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench paper 0', description: 'lets the printer run out of paper' }],
  run({ context, args, options }) {
    if (!/^\d{1,15}$/.test(args.sheets))
      throw new Fault('bad_setting', `SHEETS must be a whole number, not '${args.sheets.slice(0, 40)}'`);
    return act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/paper', { params, body: { sheets: Number(args.sheets) } }),
    );
  },
});

export const control = command({
  name: 'control',
  details:
    'The controls are those of `tapbench twin` for what is beside the terminal: of a payment terminal such as fault, fault-after-approval, receipts and timeline (docs/readers/stand-alone.md); of a receipt printer such as paper, cover, drawer, state, fault, mend and receipts (docs/readers/escpos.md). Cards and keys have commands of their own.',
  parameters: {
    terminal: terminalParameter,
    control: required('Name of a control, with what it takes after =, such as fault=lost'),
  },
  options: CLIENT_OPTIONS,
  examples: [
    {
      line: 'tapbench control SIM-NEXO-0001 fault-after-approval=cut',
      description: 'cuts the line once the bank has approved the next payment',
    },
    { line: 'tapbench control SIM-NEXO-0001 receipts', description: 'prints what the terminal has printed' },
    {
      line: "tapbench control SIM-ESCPOS-0001 'fault=paper-out after cut 1'",
      description: 'takes the paper out of the receipt printer after the next cut, between two copies',
    },
  ],
  run({ context, args, options }) {
    const [name = '', ...words] = args.control.split('=');
    const body = { control: name, ...(words.length > 0 && { argument: words.join('=') }) };
    return act(context, options, args.terminal, (api, params) =>
      api.call('POST /sandbox/terminals/{id}/control', { params, body }),
    );
  },
});

/** Does something at a simulated terminal, and prints its state afterwards, or what a control has to say. */
async function act(
  context: CommandContext,
  options: ClientOptions & { json: boolean },
  terminal: string | undefined,
  call: (api: ServerApi, params: { id: string }) => Promise<Reply<'POST /sandbox/terminals/{id}/power'>>,
): Promise<void> {
  const api = connectApi(context, options);
  const params = { id: await chooseTerminal(api, terminal) };
  const after = await call(api, params);
  if (options.json) return printJson(context.out, after);
  if (after.answer !== undefined) {
    for (const line of after.answer.split('\n')) printLine(context.out, line);
    return;
  }
  const { id, power: powered, network: connected, paperSheets, printer } = after;
  printLine(context.out, `${id}  power ${powered}  network ${connected}  ${paperSheets} sheets`);
  if (printer) printLine(context.out, `printer: ${describePrinter(printer)}`);
}
