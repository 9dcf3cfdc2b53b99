import type { SentBody } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
import { ACTION_EXIT_CODES, ACTION_OPTIONS, receiptSettings, printAction } from '../client/print-action.ts';
import { checkedByServer, CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command, required } from '../command-line/command.ts';
import { stringOption } from '../command-line/option.ts';
import { cardOption } from '../client/card-option.ts';
import { chooseTerminal, terminalParameter } from '../client/terminal-choice.ts';

export const pay = command({
  name: 'pay',
  parameters: {
    terminal: terminalParameter,
    amount: required('Amount in minor units, 1742 for 17.42'),
  },
  options: {
    currency: stringOption({ flag: '--currency <code>', description: 'ISO 4217 code', defaultValue: 'GBP' }),
    card: cardOption,
    ...ACTION_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench pay 1742', description: 'starts a payment of 17.42 GBP on the only terminal' },
    { line: 'tapbench pay SIM-0001 1742 --wait', description: 'and waits for the outcome' },
    { line: 'tapbench pay 1742 --card visa-declined --wait', description: 'with a card that is declined' },
  ],
  exitCodes: ACTION_EXIT_CODES,
  async run({ context, args, options }) {
    const amount = minorUnits('AMOUNT', args.amount);
    const api = connectApi(context, options);
    const terminalId = await chooseTerminal(api, args.terminal);
    const body = {
      amounts: { requested: amount },
      currency: checkedByServer<SentBody<'POST /v1/in-person/terminals/{id}/payment'>['currency']>(
        options.currency,
      ),
      ...receiptSettings(options.posReceipts),
    };
    const params = { id: terminalId };
    // With a card it begins together with what its cardholder does, so that no other card can be presented first.
    const started =
      options.card === undefined
        ? await api.call('POST /v1/in-person/terminals/{id}/payment', { params, body })
        : await api.call('POST /sandbox/terminals/{id}/payment', {
            params,
            body: { ...body, cardholder: { card: options.card } },
          });
    return printAction(context, api, started, options);
  },
});

/**
 * Parses an amount in minor units. @param name AMOUNT or --amount, for the message.
 * @throws Fault `bad_setting` for anything but digits, because 17.42 would be ambiguous.
 */
export function minorUnits(name: string, typed: string): number {
  if (/^\d{1,15}$/.test(typed)) return Number(typed);
  throw new Fault(
    'bad_setting',
    `${name} must be whole minor units, 1742 for 17.42, not '${typed.slice(0, 40)}'`,
  );
}
