import type { CardRequest, ReaderEvent } from '../../agent/readers/reader.ts';
import { createActSchedule } from '../../simulator/act-schedule.ts';
import { VirtualReader, type VirtualReaderOptions } from '../../simulator/virtual-reader.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

const START_MS = Date.UTC(2026, 0, 5, 9);

export const PAYMENT: CardRequest = {
  actionId: 'tmlact_01J9Z6P1A2B3C4D5E6F7G8H9JK_01J9Z6P1A2B3C4D5E6F7G8H9JM',
  type: 'Payment',
  amountMinor: 1742,
  currency: 'GBP',
};

/** A reader under a terminal that does what every terminal does with what the reader says. */
export function readerFixture(options: Partial<VirtualReaderOptions> = {}) {
  const clock = new VirtualClock(START_MS);
  const acts = createActSchedule({ clock });
  const reader = new VirtualReader({ clock, acts, readLatencyMs: 100, ...options });
  const facts: ReaderEvent[] = [];
  const report = (fact: ReaderEvent) => {
    facts.push(fact);
    if (fact.type === 'card.removed' || fact.type === 'card.unreadable') reader.awaitCard();
    if (fact.type === 'card.read' && fact.pin === 'pin') reader.awaitPin();
    if (fact.type === 'pin.entered') reader.verifyPin();
    if (fact.type === 'pin.rejected' && fact.triesLeft > 0) reader.awaitPin();
  };
  return {
    clock,
    acts,
    reader,
    facts,
    /** Names of the facts so far, in order. */
    story: () => facts.map((fact) => fact.type),
    start(request: Partial<CardRequest> = {}) {
      reader.begin({ ...PAYMENT, ...request }, report);
      reader.awaitCard();
    },
  };
}

export function keys(text: string) {
  return [...text.split(''), 'enter'] as Parameters<VirtualReader['pressKeys']>[0];
}
