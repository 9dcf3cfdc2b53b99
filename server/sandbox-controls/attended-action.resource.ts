import { CardholderScript } from '../../protocol/messages/inspection.messages.ts';
import { CardholderMembers } from '../../protocol/messages/sandbox.messages.ts';
import { Type, withDescription, type Static } from '../../protocol/schema.ts';
import { TerminalPayment, TerminalRefund } from '../api/in-person/actions/action.schema.ts';
import { startPayment, startRefund } from '../api/in-person/actions/action-service.ts';
import { actionRoutes } from '../api/in-person/actions/action.resource.ts';
import { terminalById } from '../api/in-person/terminals/terminal.resource.ts';
import type { TerminalRow } from '../api/in-person/terminals/terminal.records.ts';
import { Terminal } from '../api/in-person/terminals/terminal.schema.ts';
import { routeFor, type FindContext, type Route } from '../platform/http/route.ts';
import type { RefusalName } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import type { PaymentServices } from '../api/payments/payment-services.ts';

const cardholder = Type.Optional(
  Type.Object(
    {
      script: Type.Optional(
        withDescription(CardholderScript, 'What the simulated cardholder does; `tap` by default'),
      ),
      ...CardholderMembers,
    },
    {
      description:
        'What the simulated cardholder does in this action alone. Without it they do what was set for the terminal.',
    },
  ),
);

const AttendedPayment = Type.Object({ ...TerminalPayment.properties, cardholder });
const AttendedRefund = Type.Object({ ...TerminalRefund.properties, cardholder });

const route = routeFor<PaymentServices>();

/** A terminal, and the id of the action that it is to begin. */
interface ChosenAction {
  terminal: TerminalRow;
  actionId: string;
}

const common = {
  surface: 'sandbox',
  tag: 'Sandbox terminal',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  reply: Terminal,
  async find(context: FindContext<'id'>): Promise<ChosenAction | undefined> {
    const terminal = await terminalById(context);
    return terminal && { terminal, actionId: context.services.ids.make('action') };
  },
} as const;

/** Refusals of the same operation of the API, and of the simulator. */
const refusalsOf = (operation: string): RefusalName[] => [
  ...actionRoutes.find((each) => each.operation === operation)!.refusals,
  'not_simulated',
  'simulation_refused',
];

type Cardholder = Static<typeof AttendedPayment>['cardholder'];

interface PrepareContext {
  services: Services;
  body: { cardholder?: Cardholder };
  found: ChosenAction;
}

/** Tells the cardholder what to do in the action before it begins, so that they do nothing else in it. */
async function prepare({ services, body, found }: PrepareContext): Promise<void> {
  const { terminal, actionId } = found;
  if (!body.cardholder) return;
  const act = { act: 'cardholder', script: 'tap', ...body.cardholder, actionId } as const;
  await services.simulation.perform(terminal.id, act);
}

const startPaymentRoute = route({
  ...common,
  operation: 'POST /sandbox/terminals/{id}/payment',
  summary: 'Take a payment at a simulated terminal, with the card of your choice',
  body: AttendedPayment,
  refusals: refusalsOf('POST /in-person/terminals/{id}/payment'),
  prepare,
  handle: ({ services, caller, body: { cardholder: _cardholder, ...payment }, found }) =>
    startPayment(services, caller, found.terminal.id, payment, found.actionId),
});

const startRefundRoute = route({
  ...common,
  operation: 'POST /sandbox/terminals/{id}/refund',
  summary: 'Refund an in-person payment at a simulated terminal, with the card of your choice',
  body: AttendedRefund,
  refusals: refusalsOf('POST /in-person/terminals/{id}/refund'),
  prepare,
  handle: ({ services, caller, body: { cardholder: _cardholder, ...refund }, found }) =>
    startRefund(services, caller, found.terminal.id, refund, found.actionId),
});

/** Routes that start an action together with what its cardholder does. */
export const attendedActionRoutes: readonly Route[] = [startPaymentRoute, startRefundRoute];
