import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv, parseTlv } from '../../../protocol/emv/tlv.ts';

/** Data objects that the reader keeps for every transaction: 04-00 and 60-06 set them, 03-02 reports them (8.2.8, 8.2.9). */
export interface Configuration {
  /** Sets each object; false, and nothing set, when the bytes are not whole objects. */
  set(objects: Uint8Array): boolean;
  /** As it left the factory (04-09). */
  reset(): void;
  get(tag: string): Uint8Array | undefined;
  /** All objects, as TLV. */
  report(): Uint8Array;
}

/** As the reader leaves its factory: country, terminal capabilities and type. */
const FACTORY = { '9F1A': '0840', '9F33': '6028C8', '9F35': '21' };

export function createConfiguration(): Configuration {
  const factory = () => Object.entries(FACTORY).map(([tag, value]) => [tag, fromHex(value)] as const);
  let objects = new Map(factory());
  return {
    set(bytes) {
      try {
        for (const { tag, value } of parseTlv(bytes)) objects.set(tag, Uint8Array.from(value));
        return true;
      } catch {
        return false;
      }
    },
    reset: () => void (objects = new Map(factory())),
    get: (tag) => objects.get(tag),
    report: () => concat(...[...objects].map(([tag, value]) => encodeTlv(tag, value))),
  };
}
