/** What has to hold for each step, or for all runs together, which no single state shows. */
export const PROPERTIES_OF_STEPS = [
  {
    name: 'decisionShown',
    sentence: 'A terminal that acts on a decline, a cancel or an end shows it.',
  },
  { name: 'terminalSteps', sentence: 'No step of the terminal throws, and each comes to an end.' },
  { name: 'noFault', sentence: 'No step of the server throws: its rules allow what its machines ask for.' },
  { name: 'numbersCount', sentence: 'The server counts each command that it sends.' },
  {
    name: 'journalFirst',
    sentence: 'After each step the journal of the terminal holds the state that it is in.',
  },
  {
    name: 'waitsEnd',
    sentence: 'In each state that a terminal enters it waits no longer than a deadline that lies ahead.',
  },
  { name: 'asksAgain', sentence: 'A terminal that waits for a decision has a time at which it asks again.' },
  { name: 'timerActs', sentence: 'A timer of a terminal that fires changes its state or sends a message.' },
  {
    name: 'endStays',
    sentence: 'A terminal that has shown the end of an action does not show it as in progress again.',
  },
  {
    name: 'endsRightly',
    sentence:
      'A cancel or a deadline ends an action at the server, and the code of an action that has failed is that of the reason.',
  },
  {
    name: 'givesUp',
    sentence:
      'A terminal gives up, with the code of the reason, when its reader fails, the card is declined, three cards are unreadable, the cardholder cancels or time is up, and for no other reason.',
  },
  {
    name: 'copiesCounted',
    sentence: 'A terminal counts as failed the copies that were not printed, and no others.',
  },
  { name: 'asksPin', sentence: 'A terminal asks for the PIN exactly if the card needs it.' },
  {
    name: 'canSucceed',
    sentence: 'A run in which nothing has gone wrong can still succeed, without a time-out.',
  },
  {
    name: 'nothingStuck',
    sentence: 'From each state a run without further faults leads to an end that both sides know.',
  },
];
