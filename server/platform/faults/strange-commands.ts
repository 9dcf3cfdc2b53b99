import { isKeyOf } from '../../../protocol/tables.ts';
import { encode, type BodyOf, type DeclaredMessage, type Envelope } from '../../../protocol/message.ts';
import { RequestReport } from '../../../protocol/messages/action.messages.ts';
import { RequestPresence } from '../../../protocol/messages/presence.messages.ts';
import { topicOf } from '../../../protocol/topics.ts';
import { STRANGE_FAULTS } from './cut-points.ts';

export type StrangeFault = keyof typeof STRANGE_FAULTS;

const UNKNOWN = 'action.explained';
// Together with the longest command still below the packet limit of the brokers, 64 KiB.
const LARGE_CHARACTERS = 50_000;

interface Command<M extends DeclaredMessage> {
  message: M;
  terminalId: string;
  body: BodyOf<M>;
  actionId: string | null;
}

export function isStrange(what: string): what is StrangeFault {
  return isKeyOf(STRANGE_FAULTS, what);
}

/** Returns what is sent in place of a command that a fault strikes, in order. */
export function strangeCommands<M extends DeclaredMessage>(
  what: StrangeFault,
  { message, terminalId, body, actionId }: Command<M>,
): Envelope[] {
  const usual = encode(message, terminalId, body);
  const withMembers = (members: object): Envelope => ({
    ...usual,
    payload: Buffer.from(JSON.stringify({ ...body, ...members })),
  });
  const other = actionId === null ? {} : { actionId: otherAction(actionId) };
  switch (what) {
    case 'unknown-message':
      return [{ ...usual, topic: unknownTopic(terminalId), payload: Buffer.from('{}') }, usual];
    case 'cut-message':
      return [{ ...usual, payload: usual.payload.subarray(0, usual.payload.length / 2) }, usual];
    case 'large-body':
      return [withMembers({ explanation: 'x'.repeat(LARGE_CHARACTERS) })];
    case 'other-action':
      return [withMembers(other)];
    case 'report-request':
      return actionId === null
        ? [usual]
        : [encode(RequestReport, terminalId, { actionId: otherAction(actionId), seq: 1 }), usual];
    case 'presence-request':
      return [encode(RequestPresence, terminalId, {}), usual];
  }
}

function unknownTopic(terminalId: string): string {
  return topicOf({ audience: 'terminals', terminalId, channel: 'commands', message: UNKNOWN });
}

/** Returns an id that no action has: one whose last character is another. */
function otherAction(actionId: string): string {
  return actionId.slice(0, -1) + (actionId.endsWith('0') ? '1' : '0');
}
