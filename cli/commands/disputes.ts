import { formatMinor } from '../../protocol/money.ts';
import type { Item } from '../../protocol/api-client.ts';
import { DISPUTE_CATEGORIES } from '../../protocol/value-lists.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command, required, oneOf } from '../command-line/command.ts';
import type { Sink } from '../command-line/command-context.ts';
import { enumOption, stringOption } from '../command-line/option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';
import { minorUnits } from './pay.ts';

export const disputes = command({
  name: 'disputes',
  parameters: {},
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench disputes', description: 'prints one line for each dispute' }],
  async run({ context, options }) {
    const items = await connectApi(context, options).list('GET /v1/disputes');
    if (options.json) return printJson(context.out, items);
    if (items.length === 0)
      return context.err.write("no disputes; 'tapbench disputes open ps_...' opens one\n");
    printTable(context.out, [['ID', 'STATUS', 'AMOUNT', 'CATEGORY', 'PAYMENT'], ...items.map(rowOf)]);
  },
});

export const disputesOpen = command({
  name: 'disputes open',
  parameters: { session: required('Id of the payment session, ps_...') },
  options: {
    amount: stringOption({
      flag: '--amount <minor>',
      description: 'Minor units',
      defaultText: 'the amount not refunded',
    }),
    category: enumOption(DISPUTE_CATEGORIES, {
      flag: '--category <name>',
      description: DISPUTE_CATEGORIES.join(', '),
      defaultText: 'a usual one',
    }),
    ...CLIENT_OPTIONS,
  },
  examples: [{ line: 'tapbench disputes open ps_01J... --amount 500', description: 'disputes 5.00 of it' }],
  async run({ context, args, options }) {
    const { category, amount } = options;
    const dispute = await connectApi(context, options).call('POST /sandbox/payment-sessions/{id}/disputes', {
      params: { id: args.session },
      body: {
        ...(amount !== undefined && { amount: minorUnits('--amount', amount) }),
        ...(category !== undefined && { category }),
      },
    });
    print(context.out, options.json, dispute);
  },
});

const OUTCOMES = ['Won', 'Lost', 'Cancelled'] as const;

export const disputesDecide = command({
  name: 'disputes decide',
  details:
    'A dispute is Won or Lost after it was challenged; until its end the cardholder can withdraw it: Cancelled.',
  parameters: {
    dispute: required('Id of the dispute, dsp_...'),
    outcome: required('Won, Lost or Cancelled'),
  },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench disputes decide dsp_01J... Won', description: 'decides for the merchant' }],
  async run({ context, args, options }) {
    const status = oneOf('OUTCOME', OUTCOMES, args.outcome);
    const decided = await connectApi(context, options).call('POST /sandbox/disputes/{id}/outcome', {
      params: { id: args.dispute },
      body: { status },
    });
    print(context.out, options.json, decided);
  },
});

type Dispute = Item<'GET /v1/disputes'>;

function print(out: Sink, asJson: boolean, dispute: Dispute): void {
  if (asJson) printJson(out, dispute);
  else printLine(out, rowOf(dispute).join('  '));
}

function rowOf({ id, status, amount, currency, category, paymentSession }: Dispute): string[] {
  return [id, status, formatMinor(amount, currency), category, paymentSession.id];
}
