import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS, connectApi } from '../api-client.ts';
import { command } from '../command.ts';
import { oneOf, text } from '../option.ts';
import { printJson } from '../output.ts';
import { chooseTerminal, terminalParameter } from '../terminal-choice.ts';

export const presentCard = command({
  name: 'present-card',
  summary: 'Hold a card against a simulated terminal',
  details:
    'A terminal whose cardholder acts by itself needs no such help: see --cardholder none of sim and agent.',
  parameters: { terminal: terminalParameter },
  options: {
    card: text({
      flag: '--card <name>',
      meaning: 'A card profile, such as visa-contact-pin',
      fallback: 'visa-contactless',
    }),
    entryMode: oneOf(['Contactless', 'Contact', 'Swipe', 'Wallet'], {
      flag: '--entry-mode <mode>',
      meaning: 'Contactless, Contact, Swipe or Wallet',
      otherwise: 'the usual one of the card',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [{ line: 'tapbench present-card --card amex-contactless', does: 'taps an Amex' }],
  async run({ around, words, options }) {
    const api = connectApi(around, options);
    const terminalId = await chooseTerminal(api, words.terminal);
    const { card, entryMode } = options;
    const path = `/sandbox/terminals/${encodeURIComponent(terminalId)}`;
    const { online } = await api.get<{ online: boolean }>(path);
    if (!online) throw new Fault('bad_setting', `${terminalId} is offline: no card was presented`);
    const reply = await api.post(`${path}/present-card`, {
      card,
      ...(entryMode === undefined ? {} : { entryMode }),
    });
    if (options.json) printJson(around.out, reply);
    else around.out.write(`presented ${card} at ${terminalId}\n`);
  },
});
