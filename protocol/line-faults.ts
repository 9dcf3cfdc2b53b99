/** What can happen to one message of a device. `cut` closes the line instead of sending it. */
export const MESSAGE_FAULTS = ['lost', 'late', 'twice', 'split', 'corrupt', 'cut'] as const;
export type MessageFault = (typeof MESSAGE_FAULTS)[number];

/** What happens to a message of a device. */
export interface StruckMessage {
  fault: MessageFault;
  /** When a late one arrives; ten seconds later unless given. */
  arrives?: Promise<void>;
}

/** A message that a stand-alone payment terminal is about to send to its till. */
export interface DueMessage {
  terminalId: string;
  /** The action of the till; undefined while it has none. */
  actionId: string | undefined;
  /** Whether it is the first one since the bank of the terminal has approved. */
  isAfterCharge: boolean;
}

/** Returns what happens to a message; undefined where it arrives. */
export type StrikeMessage = (due: DueMessage) => StruckMessage | undefined;
