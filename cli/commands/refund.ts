import { ACTION_EXIT_CODES, ACTION_OPTIONS, receiptSettings, printAction } from '../client/print-action.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command, required } from '../command-line/command.ts';
import { stringOption, booleanOption } from '../command-line/option.ts';
import { cardOption } from '../client/card-option.ts';
import { chooseTerminal, terminalParameter } from '../client/terminal-choice.ts';
import { minorUnits } from './pay.ts';

export const refund = command({
  name: 'refund',
  parameters: {
    terminal: terminalParameter,
    session: required('Id of the payment session, ps_...'),
  },
  options: {
    amount: stringOption({
      flag: '--amount <minor>',
      description: 'Minor units',
      defaultText: 'the amount not yet refunded',
    }),
    refundPlatformFee: booleanOption('--refund-platform-fee', 'Also refund the platform fee, in proportion'),
    card: cardOption,
    ...ACTION_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench refund ps_01J... --wait', description: 'refunds what is left of the payment' },
    { line: 'tapbench refund ps_01J... --amount 500', description: 'refunds 5.00 of it' },
  ],
  exitCodes: ACTION_EXIT_CODES,
  async run({ context, args, options }) {
    const amount = options.amount === undefined ? {} : { amount: minorUnits('--amount', options.amount) };
    const api = connectApi(context, options);
    const terminalId = await chooseTerminal(api, args.terminal);
    const body = {
      paymentSession: { id: args.session },
      ...amount,
      refundPlatformFee: options.refundPlatformFee,
      ...receiptSettings(options.posReceipts),
    };
    const params = { id: terminalId };
    // With a card it begins together with what its cardholder does, so that no other card can be presented first.
    const started =
      options.card === undefined
        ? await api.call('POST /v1/in-person/terminals/{id}/refund', { params, body })
        : await api.call('POST /sandbox/terminals/{id}/refund', {
            params,
            body: { ...body, cardholder: { card: options.card } },
          });
    return printAction(context, api, started, options);
  },
});
