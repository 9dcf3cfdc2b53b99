import type { MaskedCard } from '../../protocol/messages/card-data.schema.ts';
import type { ReaderEvent } from '../../agent/readers/reader.ts';

/** The time of a check, which stands still: deadlines are transitions. Epoch milliseconds. */
export const NOW_MS = 1_700_000_000_000;

export const TERMINAL_ID = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA';
const ACTION_IDS = [
  'tmlact_01J9Z6M1N2P3Q4R5S6T7V8W9X1_01J9Z6M1N2P3Q4R5S6T7V8W9X1',
  'tmlact_01J9Z6M1N2P3Q4R5S6T7V8W9X2_01J9Z6M1N2P3Q4R5S6T7V8W9X2',
];
const SESSION_IDS = ['ps_01J9Z6M1N2P3Q4R5S6T7V8W9X1', 'ps_01J9Z6M1N2P3Q4R5S6T7V8W9X2'];

export function actionIdOf(index: number): string {
  return ACTION_IDS[index]!;
}

export function sessionIdOf(index: number): string {
  return SESSION_IDS[index]!;
}

/** Returns the index of an action; null for no action. */
export function indexOfAction(actionId: string | undefined): number | null {
  return actionId === undefined ? null : ACTION_IDS.indexOf(actionId);
}

export const TAPPED_CARD: MaskedCard = {
  scheme: 'Visa',
  bin: '411111',
  last4: '1111',
  expiryMonth: '12',
  expiryYear: '2030',
  entryMode: 'Contactless',
};
export const INSERTED_CARD: MaskedCard = { ...TAPPED_CARD, entryMode: 'Contact' };
export const CHIP = {
  request: {
    emv: '9F2608AABBCCDDEEFF0011',
    cardData: {
      scheme: 'AES' as const,
      ksn: '00112233445566778899AABB',
      cipherText: '00112233445566778899AABBCCDDEEFF',
    },
  },
  awaitsAnswer: true,
};

/** The response of the issuer for the chip. */
export const CHIP_RESPONSE = { emv: '8A023030' };

/** What a reader is doing, from the calls of the terminal and the events that it has reported. */
export type ReaderState =
  | 'off'
  | 'looking'
  | 'found'
  | 'awaitingPin'
  | 'verifyingPin'
  | 'completing'
  | 'done'
  /** Of a payment terminal that cannot be asked: ready, with a request, also for too long, or asked after a power cut. */
  | 'ready'
  | 'busy'
  | 'overdue'
  | 'asking';

export interface ReaderStep {
  event: ReaderEvent;
  next: ReaderState;
  /** Whether it comes only after all messages in order have arrived. */
  takesTime?: true;
}

const step = (event: ReaderEvent, next: ReaderState = 'done'): ReaderStep => ({ event, next });
const FAILED = step({ type: 'reader.failed', reason: 'broken' });
const CANCELLED = step({ type: 'cancel.pressed' });
const UNREADABLE = step({ type: 'card.unreadable', reason: 'dirty' });

const TAPPED: Partial<Record<ReaderState, ReaderStep[]>> = {
  looking: [
    step({ type: 'card.presented', entryMode: 'Contactless' }, 'found'),
    step({ type: 'card.missing' }, 'looking'),
    CANCELLED,
    FAILED,
  ],
  found: [
    step({ type: 'card.read', card: TAPPED_CARD, pin: 'none' }),
    UNREADABLE,
    step({ type: 'card.removed' }),
    step({ type: 'card.declined', reason: 'offline' }),
  ],
  done: [FAILED],
};

const INSERTED: Partial<Record<ReaderState, ReaderStep[]>> = {
  looking: [step({ type: 'card.presented', entryMode: 'Contact' }, 'found'), CANCELLED],
  found: [
    step({ type: 'card.read', card: INSERTED_CARD, pin: 'pin', chip: CHIP }),
    step({ type: 'card.read', card: INSERTED_CARD, pin: 'none', chip: CHIP }),
    UNREADABLE,
  ],
  awaitingPin: [step({ type: 'pin.entered' }), step({ type: 'card.removed' }), CANCELLED],
  verifyingPin: [
    step({ type: 'pin.accepted' }),
    step({ type: 'pin.rejected', triesLeft: 1 }),
    step({ type: 'pin.rejected', triesLeft: 0 }),
    step({ type: 'card.removed' }),
    FAILED,
  ],
  completing: [
    step({ type: 'card.completed' }),
    step({ type: 'card.refused', reason: 'declined' }),
    step({ type: 'card.removed' }),
    FAILED,
  ],
};

export const APPROVED_BY_DEVICE: ReaderEvent = {
  type: 'device.approved',
  card: TAPPED_CARD,
  approval: { authorisationCode: 'A1B2C3', reference: 'receipt-1' },
  receipt: { merchantCopy: 'approved', customerCopy: 'approved' },
};

const OWN_BANK: Partial<Record<ReaderState, ReaderStep[]>> = {
  looking: [
    step(APPROVED_BY_DEVICE),
    step({ type: 'device.declined', reason: 'limit' }),
    step({ type: 'card.presented', entryMode: 'Contactless' }, 'looking'),
    FAILED,
  ],
};

const BY_CARD = { tapped: TAPPED, inserted: INSERTED, 'own bank': OWN_BANK };

/** Returns what a reader with a card, or a payment terminal that can be asked, may report next. */
export function stepsWithCard(card: keyof typeof BY_CARD, state: ReaderState): readonly ReaderStep[] {
  return BY_CARD[card][state] ?? [];
}
