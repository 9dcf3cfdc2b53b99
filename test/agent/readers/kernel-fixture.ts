import type { IssuerAnswer } from '../../../agent/emv/completion.ts';
import { createKernelReader, type KernelReaderParts } from '../../../agent/readers/kernel-reader.ts';
import { acceptAnyCard, type CardPolicy } from '../../../agent/readers/card-policy.ts';
import type { CardProtection } from '../../../agent/readers/card-protection.ts';
import type { CardSlot } from '../../../agent/readers/card-slot.ts';
import type { CardRequest, Reader, ReaderChip, ReaderEvent } from '../../../agent/readers/reader.ts';
import { deriveCardKey } from '../../../protocol/cryptography/card-keys.ts';
import {
  cryptogramKey,
  cryptogramOf,
  cryptogramVersionOf,
  issuerAuthenticationData,
} from '../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv, findTlv } from '../../../protocol/emv/tlv.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { TEST_MASTER_KEY } from '../../kit/card-issuer.ts';
import { chipSlot } from '../../kit/chip-slot.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Encrypts nothing, so that a test sees the data for the issuer. */
const openProtection: CardProtection = {
  transaction: () => ({
    cardData: (plain) => ({ scheme: 'AES', ksn: '00'.repeat(12), cipherText: toHex(plain) }),
    pin: (digits) => ({ scheme: 'AES', ksn: '00'.repeat(12), pinBlock: digits.padEnd(32, 'F') }),
  }),
};

export interface KernelFixtureOptions {
  technology?: CardTechnology;
  /** The card in the slot, by profile name. */
  card?: string;
  /** The entries for PIN requests, in order. */
  pins?: (string | 'cancelled')[];
  cards?: CardPolicy;
  /** Replaces the slot of the fixture. */
  slot?: CardSlot;
  clock?: VirtualClock;
  parts?: Partial<KernelReaderParts>;
  /** Creates another reader with the same parts. */
  createReader?: (parts: KernelReaderParts) => Reader;
}

/** A kernel reader with a card, and a terminal that reacts to its events. */
export function createKernelFixture(options: KernelFixtureOptions = {}) {
  const { technology = 'Contact', card, pins = [], cards = acceptAnyCard } = options;
  const clock = options.clock ?? new VirtualClock(NOW_MS);
  const random = seededRandom('kernel bench');
  const chip = card === undefined ? undefined : createChipCard(card, { clock, random });
  const slot = chipSlot(technology, chip);
  const facts: ReaderEvent[] = [];
  const typed = [...pins];
  let cancel = () => {};
  const reader = (options.createReader ?? createKernelReader)({
    name: 'bench',
    slot: options.slot ?? slot,
    clock,
    random,
    log: silentLog,
    cards,
    protection: openProtection,
    countryCode: '826',
    pinPad: {
      async requestPin() {
        const next = typed.shift();
        return next === undefined || next === 'cancelled' ? 'cancelled' : { digits: next };
      },
      onCancel: (listener) => void (cancel = listener),
    },
    ...options.parts,
  });
  return {
    reader,
    slot,
    clock,
    facts,
    pressCancel: () => cancel(),
    begin(request: Partial<CardRequest> = {}) {
      const full: CardRequest = {
        actionId: 'action',
        type: 'Payment',
        amountMinor: 1_500,
        currency: 'GBP',
        ...request,
      };
      reader.begin(full, (fact) => facts.push(fact));
      reader.awaitCard();
    },
    /** Advances the clock until an event of one of these types was emitted, and returns it. */
    async until(...types: ReaderEvent['type'][]): Promise<ReaderEvent> {
      const from = facts.length;
      for (let turn = 0; turn < 400; turn += 1) {
        const found = facts.slice(Math.max(from - 1, 0)).find(({ type }) => types.includes(type));
        if (found) return found;
        await clock.advance(100);
      }
      throw new Error(
        `no event of ${types.join(', ')}; emitted: ${facts.map(({ type }) => type).join(', ')}`,
      );
    },
    /** Runs a whole action with the test issuer, and resolves with the last event. */
    async play(request: Partial<CardRequest> = {}): Promise<ReaderEvent> {
      let seen = facts.length;
      this.begin(request);
      let scheme: MaskedCard['scheme'] = 'Visa';
      for (let turn = 0; turn < 2_000; turn += 1) {
        const fact = facts[seen];
        if (!fact) {
          await clock.advance(100);
          continue;
        }
        seen += 1;
        if (fact.type === 'card.read') scheme = fact.card.scheme;
        const chipData = 'chip' in fact ? fact.chip : undefined;
        if (fact.type === 'card.read' && fact.pin === 'pin') reader.awaitPin();
        else if (fact.type === 'pin.entered') reader.verifyPin();
        else if (fact.type === 'pin.rejected' && fact.triesLeft > 0) reader.awaitPin();
        else if (chipData?.awaitsAnswer) reader.completeCard!(issuerAnswer(chipData, scheme).answer);
        else if (!['card.presented'].includes(fact.type)) return fact;
      }
      throw new Error(`the action did not end; emitted: ${facts.map(({ type }) => type).join(', ')}`);
    },
  };
}

/** The response of the test issuer to a cryptogram: approved if the cryptogram is valid. */
export function issuerAnswer(
  { request }: ReaderChip,
  scheme: MaskedCard['scheme'],
  outcome: 'approved' | 'declined' = 'approved',
): { valid: boolean; answer: IssuerAnswer } {
  const plain = fromHex(request.cardData.cipherText);
  const emv = fromHex(request.emv);
  const lookup = (tag: string) => findTlv(emv, tag);
  const pan = toHex(findTlv(plain, '5A')!).replace(/F+$/, '');
  const cardKey = deriveCardKey(fromHex(TEST_MASTER_KEY), pan, toHex(findTlv(plain, '5F34')!));
  const version = cryptogramVersionOf(scheme, lookup('9F10')!)!;
  const key = cryptogramKey(version, cardKey, lookup('9F36')!);
  const arqc = cryptogramOf(version, key, lookup);
  const valid = toHex(arqc) === toHex(lookup('9F26')!);
  const approved = outcome === 'approved' && valid;
  const arc = Buffer.from(approved ? '00' : '05', 'latin1');
  const csu = fromHex(approved ? '00820000' : '00000000');
  const data = issuerAuthenticationData(version, key, { arqc, arc, csu });
  const chip = { emv: toHex(concat(encodeTlv('8A', arc), encodeTlv('91', data))) };
  return { valid, answer: { outcome: approved ? 'approved' : 'declined', chip } };
}
