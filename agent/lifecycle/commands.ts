import type { BodyOf, DeclaredMessage } from '../../protocol/message.ts';
import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
} from '../../protocol/messages/action.messages.ts';
import { decode } from '../../protocol/message.ts';
import type { ActionFact } from './action-facts.ts';

export interface Command {
  actionId: string;
  seq: number;
  fact: ActionFact;
}

/** How a command of the server becomes a fact of the action machine. */
function command<M extends DeclaredMessage>(message: M, factOf: (body: BodyOf<M>) => ActionFact) {
  const read = (payload: Uint8Array): Command => {
    const body = decode(message, payload);
    const { actionId, seq } = body as { actionId: string; seq: number };
    return { actionId, seq, fact: factOf(body) };
  };
  return [message.name, read] as const;
}

const chipOf = ({ chip }: BodyOf<typeof DecideAction>) => (chip ? { chip } : {});

const COMMANDS = new Map([
  command(CancelAction, () => ({ type: 'action.cancelled' })),
  command(DecideAction, (body) =>
    body.outcome === 'approved'
      ? { type: 'issuer.approved', authorisationCode: body.authorisationCode ?? '', ...chipOf(body) }
      : { type: 'issuer.declined', code: body.code ?? 'unexpected_error', ...chipOf(body) },
  ),
  command(ConfirmReceipt, ({ copy, status }) => ({ type: 'receipt.confirmed', copy, status })),
  command(RequestReport, () => ({ type: 'report.requested' })),
  command(EndAction, ({ status, code }) => ({ type: 'action.ended', status, ...(code && { code }) })),
]);

/**
 * The command of a message name, or undefined for a name that is none (a start is no command to a running action).
 * @throws Fault `garbage_message` when its payload is not as declared.
 */
export function readCommand(name: string, payload: Uint8Array): Command | undefined {
  return COMMANDS.get(name)?.(payload);
}
