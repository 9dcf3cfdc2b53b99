import type { SentBody } from '../../protocol/api-client.ts';
import { checkedByServer, CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { command, required, oneOf } from '../command-line/command.ts';
import { stringOption } from '../command-line/option.ts';
import { printJson } from '../command-line/output.ts';

const AUTHENTICATIONS = ['Authenticated', 'Failed', 'Identified'] as const;
const DECLINE_NEXT = 'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next';
const VERIFY_PAYOUT_METHOD = 'POST /sandbox/payout-methods/{id}/verification';
const PAYOUT_OUTCOME = 'POST /sandbox/payouts/{id}/outcome';
const FAILING = ['Capture', 'Void', 'Refund', 'none'] as const;

export const failNext = command({
  name: 'fail-next',
  details: 'It is accepted, and fails two seconds later.',
  parameters: {
    session: required('Id of the payment session, ps_...'),
    type: required('Capture, Void or Refund; none cancels an earlier request'),
  },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench fail-next ps_01J... Refund', description: 'lets its next refund fail' }],
  async run({ context, args, options }) {
    const type = oneOf('TYPE', FAILING, args.type);
    const reply = await connectApi(context, options).call(
      'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next',
      { params: { paymentSessionId: args.session }, body: { type: type === 'none' ? null : type } },
    );
    if (options.json) return printJson(context.out, reply);
    const failing = type === 'none' ? 'nothing fails' : `the next ${type.toLowerCase()} fails`;
    context.out.write(`${args.session}  ${failing}\n`);
  },
});

export const declineNext = command({
  name: 'decline-next',
  details: 'The attempt after that is decided as usual.',
  parameters: {
    session: required('Id of the payment session, ps_...'),
    code: required('A code of lastError, such as insufficient_funds; none cancels an earlier request'),
  },
  options: CLIENT_OPTIONS,
  examples: [
    {
      line: 'tapbench decline-next ps_01J... stolen_card',
      description: 'lets its issuer decline the next attempt',
    },
  ],
  async run({ context, args, options }) {
    const code = args.code === 'none' ? null : args.code;
    const reply = await connectApi(context, options).call(DECLINE_NEXT, {
      params: { paymentSessionId: args.session },
      body: { code: checkedByServer<SentBody<typeof DECLINE_NEXT>['code']>(code) },
    });
    if (options.json) return printJson(context.out, reply);
    const declined =
      reply.code === null ? 'nothing is declined' : `the next attempt is declined: ${reply.code}`;
    context.out.write(`${args.session}  ${declined}\n`);
  },
});

export const authenticate = command({
  name: 'authenticate',
  details: 'Continues a payment that waits for 3-D Secure, in place of the page of the card issuer.',
  parameters: {
    session: required('Id of the payment session, ps_...'),
    outcome: required(
      'Authenticated, Failed, or Identified where the session waits for the fingerprint of the device',
    ),
  },
  options: CLIENT_OPTIONS,
  examples: [
    { line: 'tapbench authenticate ps_01J... Authenticated', description: 'approves it as the cardholder' },
  ],
  async run({ context, args, options }) {
    const outcome = oneOf('OUTCOME', AUTHENTICATIONS, args.outcome);
    const reply = await connectApi(context, options).call(
      'POST /sandbox/payment-sessions/{id}/authentication',
      {
        params: { id: args.session },
        body: { outcome },
      },
    );
    if (options.json) printJson(context.out, reply);
    else context.out.write(`${args.session}  ${reply.status}\n`);
  },
});

export const verifyPayoutMethod = command({
  name: 'verify-payout-method',
  details: 'Sets the result of comparing the name on the bank account with that of its holder.',
  parameters: {
    method: required('Id of the payout method, pm_...'),
    status: required('Unverified, Pending, NotSupported, Verified or Rejected'),
  },
  options: {
    ...CLIENT_OPTIONS,
    name: stringOption({ flag: '--name <name>', description: 'Name of the holder, as the bank knows it' }),
    reason: stringOption({
      flag: '--reason <reason>',
      description: 'With Rejected: NameMismatch, the default, or CheckUnavailable',
    }),
  },
  examples: [
    { line: 'tapbench verify-payout-method pm_01J... Rejected', description: 'the names do not match' },
  ],
  async run({ context, args, options }) {
    const method = await connectApi(context, options).call(VERIFY_PAYOUT_METHOD, {
      params: { id: args.method },
      body: {
        status: checkedByServer<SentBody<typeof VERIFY_PAYOUT_METHOD>['status']>(args.status),
        nameOnAccount: options.name,
        rejectionReason: checkedByServer<SentBody<typeof VERIFY_PAYOUT_METHOD>['rejectionReason']>(
          options.reason,
        ),
      },
    });
    if (options.json) printJson(context.out, method);
    else context.out.write(`${method.id}  ${method.verification.status}\n`);
  },
});

export const payoutStatus = command({
  name: 'payout-status',
  parameters: {
    payout: required('Id of the payout, po_...'),
    status: required('The status, such as Completed, Failed, Returned or PendingAccountAction'),
  },
  options: CLIENT_OPTIONS,
  examples: [{ line: 'tapbench payout-status po_01J... Failed', description: 'lets the bank refuse it' }],
  async run({ context, args, options }) {
    const payout = await connectApi(context, options).call(PAYOUT_OUTCOME, {
      params: { id: args.payout },
      body: { status: checkedByServer<SentBody<typeof PAYOUT_OUTCOME>['status']>(args.status) },
    });
    if (options.json) printJson(context.out, payout);
    else context.out.write(`${payout.id}  ${payout.status}\n`);
  },
});
