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
  {
    name: 'goesOn',
    sentence:
      'Each event that belongs to the state of a terminal leads to the state that docs/protocol.md names next.',
  },
  {
    name: 'ignoresForeign',
    sentence: 'An event that does not belong to the state of an action changes nothing, at either side.',
  },
  {
    name: 'reportsInOrder',
    sentence:
      'A terminal sends the reports of docs/protocol.md in each step, once and in order, and no others.',
  },
  {
    name: 'reportsTrue',
    sentence:
      'A report has the card that was read, how its holder was verified, the reason, the copies and the receipt.',
  },
  {
    name: 'devicesAsked',
    sentence:
      'Reader, printer and bank of a device are asked to do what the step needs, once, and nothing else.',
  },
  {
    name: 'readerKnows',
    sentence:
      'The reader hears when the server knows that the outcome is unknown, and whether the action that ends was paid.',
  },
  {
    name: 'readerStops',
    sentence: 'The reader is off in each state that does not need it.',
  },
  {
    name: 'releasedFirst',
    sentence: 'The reader stops before the bank of a device is asked to reverse.',
  },
  {
    name: 'toldFirst',
    sentence: 'A terminal reports a request to a payment terminal before it sends it.',
  },
  {
    name: 'chipDataCleared',
    sentence: 'No chip data outlives its action, or the decision of the issuer.',
  },
  {
    name: 'keepsWhatMatters',
    sentence:
      'A terminal keeps of an event what it needs later, and forgets an unreadable card and a reversed approval.',
  },
  {
    name: 'displayRight',
    sentence:
      'The cardholder reads whether to present a card, again or at all, and how many tries the PIN has left.',
  },
  {
    name: 'statusShownRight',
    sentence: 'A terminal shows an action as in progress until the server has ended it, or has decided so.',
  },
  {
    name: 'waitsAsLong',
    sentence: 'Terminal and server wait as long as is documented, and not at all after the end.',
  },
  {
    name: 'waitsDouble',
    sentence:
      'A terminal that gets no answer waits twice as long each time, and begins anew in the next state.',
  },
  {
    name: 'oneTimer',
    sentence: 'A terminal has one timer, set to the first of its times, and none after the end.',
  },
  {
    name: 'decidesRight',
    sentence: 'Each event of an action leads to the status and the phase that docs/protocol.md names.',
  },
  {
    name: 'movesMoney',
    sentence: 'Each event moves the money that it should, and records a decline once.',
  },
  {
    name: 'commandsInOrder',
    sentence: 'The server sends the commands of docs/protocol.md for each event, once and in order.',
  },
  {
    name: 'commandsTrue',
    sentence: 'A command says what the server has recorded: what is to be paid, the decision, the end.',
  },
  {
    name: 'copiesRight',
    sentence: 'The server records of each receipt copy whether it is needed, was confirmed or has failed.',
  },
  { name: 'keepsDecision', sentence: 'The server keeps the decision of the issuer as it was made.' },
  {
    name: 'keepsReason',
    sentence: 'The server keeps what the reader of an action that has failed reported, and none otherwise.',
  },
  { name: 'keepsRow', sentence: 'No event changes the amount, the account or who prints.' },
  {
    name: 'repeatsRight',
    sentence: 'The server repeats the commands that a terminal may have missed, and no others.',
  },
  { name: 'repeatsDropped', sentence: 'A report that has come before has no effect.' },
  {
    name: 'answersRight',
    sentence: 'The server answers each report and each inquiry as docs/protocol.md says.',
  },
  {
    name: 'confirmationsRight',
    sentence: 'A confirmation is refused exactly if no copy is named or a named one is not required.',
  },
  {
    name: 'cancelsRight',
    sentence: 'A cancel is refused exactly while a payment terminal has the request.',
  },
  {
    name: 'settlesRight',
    sentence: 'A person may settle an action exactly while its outcome is unknown.',
  },
  {
    name: 'refundsRight',
    sentence:
      'A refund starts exactly if the payment allows it, with the amount asked for or all that is left.',
  },
  {
    name: 'canSucceed',
    sentence: 'A run in which nothing has gone wrong can still succeed, without a time-out.',
  },
  {
    name: 'nothingStuck',
    sentence: 'From each state a run without further faults leads to an end that both sides know.',
  },
] as const;

export type StepProperty = (typeof PROPERTIES_OF_STEPS)[number]['name'];
