/** What a simulated cardholder is about to do in an action at a terminal: present a card, or type its PIN. */
export interface DueStep {
  terminalId: string;
  actionId: string;
  at: 'card' | 'pin';
}

/** Returns what the cardholder does in place of a step; undefined for the step. */
export type ChangeStep = (due: DueStep) => 'pressCancel' | 'typeWrong' | 'nothing' | undefined;
