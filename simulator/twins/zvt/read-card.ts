import { RESULT } from './codes.ts';
import { ecrCapabilities, type CommandHandler } from './command-context.ts';
import { waitForCard } from './sale.ts';
import * as outgoingMessages from './outgoing-messages.ts';

// A cash register that sets no limit waits this long.
const LONGEST_S = 90;

const TLV_CONTAINER = 0x06;

/**
 * 06 C0: the card within the seconds that the first byte says, its number masked. The status information ends it, with a container
 * when the command has one.
 */
export const readCard: CommandHandler = async ({ front }, command) => {
  command.setAbortable(true);
  const sendsIntermediateStatus = command.registration?.sendsIntermediateStatus ?? false;
  const limitMs = (command.data[0] || LONGEST_S) * 1000;
  const card = await waitForCard({ front, ecr: command.ecr, sendsIntermediateStatus, limitMs });
  if (typeof card === 'number') return outgoingMessages.aborted(card);
  if (!card.readable) return outgoingMessages.aborted(RESULT.cardNotReadable);
  const { characters } = ecrCapabilities(command);
  const containers = command.fields.has(TLV_CONTAINER);
  return outgoingMessages.cardInformation(card.masked(card.entryModes[0]!), { characters, containers });
};
