import { findTlv } from '../../../protocol/emv/tlv.ts';
import { parseBitmaps } from './bitmaps.ts';
import { decodeText } from './charset.ts';

/** Completion of a status enquiry (PA00P015 §2.55). */
export interface DeviceStatus {
  /** Terminal status code: `READY`, or one of the error messages. */
  code: number;
  /** Device name (TLV E4, 1F40), if the terminal sends it. */
  deviceName: string | undefined;
}

export const READY = 0x00;

/**
 * Parses the completion of a status enquiry: `[software version, LLLVAR] status [06 TLV container]`. Some terminals
 * send the version although the service byte omits it. A completion without data means ready.
 */
export function parseStatusCompletion(data: Uint8Array): DeviceStatus {
  const rest = data.subarray(versionLength(data));
  const container = parseBitmaps(rest.subarray(1)).get(0x06);
  return { code: rest[0] ?? READY, deviceName: container && nameIn(container) };
}

/** Returns the size of a leading software version, Fx Fy Fz and xyz bytes, or 0 when there is none. */
function versionLength(data: Uint8Array): number {
  const head = [...data.subarray(0, 3)];
  if (head.length < 3 || head.some((byte) => byte < 0xf0 || byte > 0xf9)) return 0;
  const length = 3 + Number(head.map((byte) => byte & 0x0f).join(''));
  return length <= data.length ? length : 0;
}

/** Returns undefined also for a malformed container. */
function nameIn(container: Uint8Array): string | undefined {
  try {
    const name = findTlv(container, '1F40');
    return name && decodeText(name);
  } catch {
    return undefined;
  }
}
