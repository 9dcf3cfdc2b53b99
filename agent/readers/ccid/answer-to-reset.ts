/** Transmission parameters in an answer to reset (ISO/IEC 7816-3 §8.2). */
export interface AnswerToReset {
  /** Default protocol: the first one offered, or that of TA2. */
  protocol: 0 | 1;
  inverse: boolean;
  /** TA1 in specific mode (TA2 present), otherwise the default. */
  speed: number;
  /** TC1, N. */
  guardTime: number;
  /** TC2, WI of T=0. */
  waitingInteger: number;
  /** The first TB for T=1: BWI and CWI. */
  waitingTimes: number;
  /** The first TA for T=1: the longest information field that the card takes. */
  cardField: number;
}

// Fi 372, Di 1: the default (§8.1).
const DEFAULT_SPEED = 0x11;

/** Parses an answer to reset. Returns undefined when it is invalid, or offers neither T=0 nor T=1. */
export function parseAnswerToReset(bytes: Uint8Array): AnswerToReset | undefined {
  const [first, format] = bytes;
  if (format === undefined || (first !== 0x3b && first !== 0x3f)) return undefined;
  const groups = interfaceBytes(bytes);
  if (!groups) return undefined;
  // T in TDi applies to the next group.
  const forBlocks = groups.slice(2).find((_, n) => groups[n + 1]?.T === 1);
  const [one, two] = groups;
  const insisted = two?.A;
  const protocol = insisted === undefined ? (one?.T ?? 0) : insisted & 0x0f;
  if (protocol !== 0 && protocol !== 1) return undefined;
  return {
    protocol,
    inverse: first === 0x3f,
    speed: insisted === undefined ? DEFAULT_SPEED : (one?.A ?? DEFAULT_SPEED),
    guardTime: one?.C ?? 0,
    waitingInteger: two?.C ?? 0x0a,
    waitingTimes: forBlocks?.B ?? 0x4d,
    cardField: forBlocks?.A ?? 0x20,
  };
}

interface Group {
  A?: number | undefined;
  B?: number | undefined;
  C?: number | undefined;
  /** The protocol that TD of this group names, for the next one. */
  T?: number;
}

/** Returns TAi, TBi, TCi and T of TDi by group; undefined when the bytes end too early. */
function interfaceBytes(bytes: Uint8Array): Group[] | undefined {
  const groups: Group[] = [];
  let at = 2;
  let present: number | undefined = bytes[1]! >> 4;
  while (present !== undefined) {
    const group: Group = {};
    if (present & 1) group.A = bytes[at++];
    if (present & 2) group.B = bytes[at++];
    if (present & 4) group.C = bytes[at++];
    const next: number | undefined = present & 8 ? bytes[at++] : undefined;
    if (at > bytes.length) return undefined;
    if (next !== undefined) group.T = next & 0x0f;
    groups.push(group);
    present = next === undefined ? undefined : next >> 4;
  }
  return groups;
}

/** Returns the data of SetParameters (CCID 1.1 §6.1.7). */
export function parametersOf(atr: AnswerToReset): Uint8Array {
  const convention = atr.inverse ? 0x02 : 0x00;
  return atr.protocol === 0
    ? Uint8Array.of(atr.speed, convention, atr.guardTime, atr.waitingInteger, 0x00)
    : Uint8Array.of(atr.speed, 0x10 | convention, atr.guardTime, atr.waitingTimes, 0x00, atr.cardField, 0x00);
}
