import { Type } from '../../protocol/schema.ts';
import { ENTRY_MODES } from '../../protocol/value-lists.ts';
import type { ServerApi } from '../client/api-client.ts';
import { waitForAction } from './attend-action.ts';
import { beginPayment, beginRefund, knownRefund, type Attendance, type BegunAction } from './begin-action.ts';
import { sandboxInput, terminalInput, tool, type ToolContext } from './tool.ts';

const cardholderInputs = {
  card: Type.Optional(
    Type.String({
      description:
        'Name of the test card that is presented in this action, such as visa-contactless; list_cards has all. Without it the simulated cardholder of the terminal does what was set for them.',
    }),
  ),
  entryMode: Type.Optional(
    Type.Enum([...ENTRY_MODES], {
      description: 'How the card is presented. By default the way that is usual for the card.',
    }),
  ),
  pin: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4,12}$',
      description:
        'PIN to type when the terminal asks for it. By default the right one, which is 1234 for every test card.',
    }),
  ),
  waitSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 120,
      description: 'How long to wait for the outcome; 20 by default',
    }),
  ),
};

const takePayment = tool({
  name: 'take_payment',
  title: 'Take a payment',
  description:
    'Takes a payment on a terminal and waits for its outcome. Calling it again with the same orderId returns the first payment and never charges twice; with another amount it is refused.',
  inputs: {
    amount: Type.Integer({ minimum: 1, description: 'Amount in minor units: 1742 is 17.42' }),
    currency: Type.Optional(Type.String({ description: 'ISO 4217 code; GBP by default' })),
    orderId: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Your id of what is paid for. Use a new one for each payment that you want.',
    }),
    terminal: terminalInput,
    ...cardholderInputs,
    sandbox: sandboxInput,
  },
  effect: 'once',
  async run(context, { amount, currency = 'GBP', orderId, terminal, sandbox, ...attendance }) {
    const api = context.api(sandbox);
    const order = { amount, currency, orderId };
    const started = await context.begun.inTurn(`payment ${sandbox ?? ''} ${orderId}`, () =>
      beginPayment(api, order, terminal, attendance),
    );
    return outcomeOf(context, api, started, attendance);
  },
});

const refundPayment = tool({
  name: 'refund_payment',
  title: 'Refund a payment',
  description:
    'Refunds a captured payment on a terminal and waits for its outcome. Calling it again with the same refundId returns the first refund and never refunds twice.',
  inputs: {
    paymentSessionId: Type.String({ description: 'Id of the payment session, which begins with ps_' }),
    amount: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Amount in minor units; what is left by default' }),
    ),
    refundId: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Your id of the refund. Use a new one for each refund that you want.',
    }),
    terminal: terminalInput,
    ...cardholderInputs,
    sandbox: sandboxInput,
  },
  effect: 'once',
  async run(context, { refundId, terminal, sandbox, paymentSessionId, amount, ...attendance }) {
    const api = context.api(sandbox);
    const name = `refund ${sandbox ?? ''} ${refundId}`;
    const refund = { refundId, paymentSessionId, amount };
    const started = await context.begun.inTurn(name, () =>
      beginRefund(api, knownRefund(context.begun, name, refund), refund, { terminal, attendance }),
    );
    return outcomeOf(context, api, started, attendance);
  },
});

const WAIT_SECONDS = 20;

/** Waits for the outcome of an action that was begun, and returns it with its payment session. */
async function outcomeOf(
  context: ToolContext,
  api: ServerApi,
  { problem, ...started }: BegunAction,
  { waitSeconds = WAIT_SECONDS }: Attendance,
): Promise<object> {
  const action = await waitForAction(context, api, started, waitSeconds * 1000);
  return {
    outcome: action.status,
    ...(problem !== undefined && { problems: [problem] }),
    actionId: started.actionId,
    action,
    paymentSession: await api.call('GET /v1/payment-sessions/{paymentSessionId}', {
      params: { paymentSessionId: action.transaction.paymentSessionId },
    }),
  };
}

export const PAYMENT_TOOLS = [takePayment, refundPayment];
