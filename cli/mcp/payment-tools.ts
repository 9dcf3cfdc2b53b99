import { Type } from '../../protocol/schema.ts';
import type { Terminal } from '../../server/api/in-person/terminal.schema.ts';
import type { Api } from '../api-client.ts';
import { chooseTerminal, terminalPath } from '../terminal-choice.ts';
import { attendAction } from './attend-action.ts';
import { sandboxInput, terminalInput, tool, type ToolContext } from './tool.ts';

const cardholderInputs = {
  card: Type.Optional(
    Type.String({
      description:
        'Name of the test card to present when the terminal asks for one, such as visa-contactless; list_cards has all. Leave it out when a simulated cardholder presents one by itself.',
    }),
  ),
  entryMode: Type.Optional(
    Type.Enum(['Contactless', 'Contact', 'Swipe', 'Wallet'], {
      description: 'How the card is presented. By default the way that is usual for the card.',
    }),
  ),
  pin: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4,12}$',
      description: 'PIN to type when the terminal asks for it. It is 1234 for every test card.',
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

interface CardholderInputs {
  card?: string | undefined;
  entryMode?: string | undefined;
  pin?: string | undefined;
  waitSeconds?: number | undefined;
}

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
  async run(context, { amount, currency = 'GBP', orderId, terminal, sandbox, ...cardholder }) {
    const api = context.api(sandbox);
    const path = `${terminalPath(await chooseTerminal(api, terminal))}/payment`;
    const body = {
      amounts: { requested: amount },
      currency,
      paymentSession: { metadata: { orderId } },
    };
    return runAction(context, api, { path, body, idempotencyKey: `mcp payment ${orderId}` }, cardholder);
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
  async run(context, { paymentSessionId, amount, refundId, terminal, sandbox, ...cardholder }) {
    const api = context.api(sandbox);
    const path = `${terminalPath(await chooseTerminal(api, terminal))}/refund`;
    const body = { paymentSession: { id: paymentSessionId }, ...(amount !== undefined && { amount }) };
    return runAction(context, api, { path, body, idempotencyKey: `mcp refund ${refundId}` }, cardholder);
  },
});

const WAIT_SECONDS = 20;

/** Starts an action with an idempotency key and acts as its cardholder. */
async function runAction(
  context: ToolContext,
  api: Api,
  { path, body, idempotencyKey }: { path: string; body: object; idempotencyKey: string },
  { waitSeconds = WAIT_SECONDS, ...cardholder }: CardholderInputs,
): Promise<object> {
  const started = await api.request<Terminal>('POST', path, body, { idempotencyKey });
  const { action, problems } = await attendAction(context, api, started, cardholder, waitSeconds * 1000);
  const { id, transaction } = started.action!;
  const paymentSession = await api.get<object>(`/v1/payment-sessions/${transaction.paymentSessionId}`);
  return {
    outcome:
      action?.status ?? 'the terminal has begun another action since; see the status of paymentSession',
    ...(problems.length > 0 && { problems }),
    actionId: id,
    action: action ?? null,
    paymentSession,
  };
}

export const PAYMENT_TOOLS = [takePayment, refundPayment];
