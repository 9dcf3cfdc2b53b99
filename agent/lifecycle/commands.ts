import type { BodyOf, DeclaredMessage } from '../../protocol/message.ts';
import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
} from '../../protocol/messages/action.messages.ts';
import { decode } from '../../protocol/message.ts';
import type { ActionEvent } from './action-events.ts';

interface Command {
  actionId: string;
  seq: number;
  event: ActionEvent;
}

/** Maps a command of the server to an event of the action machine. */
function command<M extends DeclaredMessage>(message: M, toEvent: (body: BodyOf<M>) => ActionEvent) {
  const read = (payload: Uint8Array): Command => {
    const body = decode(message, payload);
    const { actionId, seq } = body as { actionId: string; seq: number };
    return { actionId, seq, event: toEvent(body) };
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
 * Decodes a command to a running action. Returns undefined for any other message name.
 * @throws Fault `garbage_message` when the payload does not match its schema.
 */
export function readCommand(name: string, payload: Uint8Array): Command | undefined {
  return COMMANDS.get(name)?.(payload);
}
