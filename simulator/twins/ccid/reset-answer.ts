// Format bytes T0 and TDi: the high half says which of TA, TB, TC and TD follow, the low half of TD names a protocol
// (ISO/IEC 7816-3 §8.2.3).
const TA = 0x10;
const TB = 0x20;
const TC = 0x40;
const TD = 0x80;

/**
 * Returns the protocol that a card uses directly after its answer to reset: the one of TA2 where the card insists on it
 * (specific mode), else the first that it offers, else T=0 (ISO/IEC 7816-3 §6.3.1 and §8.2.3).
 */
export function protocolAfterReset(answer: Uint8Array): number {
  const format = answer[1] ?? 0;
  if (!(format & TD)) return 0;
  const beforeTd1 = [TA, TB, TC].filter((bit) => format & bit).length;
  const td1At = 2 + beforeTd1;
  const td1 = answer[td1At] ?? 0;
  const protocol = td1 & TA ? answer[td1At + 1] : td1;
  return (protocol ?? 0) & 0x0f;
}
