import { ENTRY_MODES } from '../../protocol/value-lists.ts';
import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { enumOption, stringOption } from '../command-line/option.ts';
import { printJson, printLine } from '../command-line/output.ts';
import { chooseTerminal, terminalParameter } from '../client/terminal-choice.ts';

export const presentCard = command({
  name: 'present-card',
  details: 'For terminals whose simulated cardholder does nothing: --cardholder none of sim and agent.',
  parameters: { terminal: terminalParameter },
  options: {
    card: stringOption({
      flag: '--card <name>',
      description: 'A card profile, such as visa-contact-pin',
      defaultValue: 'visa-contactless',
    }),
    entryMode: enumOption(ENTRY_MODES, {
      flag: '--entry-mode <mode>',
      description: 'Contactless, Contact, Swipe or Wallet',
      defaultText: 'the default of the card',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [{ line: 'tapbench present-card --card amex-contactless', description: 'taps an Amex' }],
  async run({ context, args, options }) {
    const api = connectApi(context, options);
    const terminalId = await chooseTerminal(api, args.terminal);
    const { card, entryMode } = options;
    const params = { id: terminalId };
    const { online } = await api.call('GET /sandbox/terminals/{id}', { params });
    if (!online) throw new Fault('bad_setting', `${terminalId} is offline: no card was presented`);
    const reply = await api.call('POST /sandbox/terminals/{id}/present-card', {
      params,
      body: { card, ...(entryMode === undefined ? {} : { entryMode }) },
    });
    if (options.json) printJson(context.out, reply);
    else printLine(context.out, `presented ${card} at ${terminalId}`);
  },
});
