import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { TEST_CA_KEYS } from '../../../agent/emv/test-ca-keys.ts';
import type { Clock } from '../../../protocol/clock.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { findTlv, parseTlv } from '../../../protocol/emv/tlv.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { PROFILES } from '../../../simulator/cards/card-files.ts';
import { parseCardProfile, type CardProfile } from '../../../simulator/cards/card-profile.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';

export function profileNamed(name: string): CardProfile {
  return parseCardProfile(name, PROFILES[name]);
}

/** A clock for tests that do not look at time: whoever waits has waited. */
const HURRIED: Clock = {
  nowMs: () => 0,
  at(_, run) {
    queueMicrotask(run);
    return { cancel: () => {} };
  },
};

export function newCard(name: string, clock: Clock = HURRIED): ChipCard {
  return createChipCard(name, { random: seededRandom(name), clock })!;
}

/** What a terminal of these tests says of itself and of the payment, by tag. */
const TERMINAL: Record<string, string> = {
  '82': '',
  '95': '8000048000',
  '9A': '261120',
  '9C': '00',
  '5F2A': '0826',
  '9F02': '000000004000',
  '9F03': '000000000000',
  '9F1A': '0826',
  '9F35': '21',
  '9F37': '52BF4585',
  '9F34': '1F0302',
  '9F66': '36004000',
};

/** What was said in one APDU: data and status word, both in hexadecimal. */
interface Said {
  sw: string;
  data: string;
}

/** A terminal that sends what it is told to, by plain APDUs. */
export class PlainTerminal {
  readonly known = new Map(Object.entries(TERMINAL));
  readonly #session;

  constructor(card: ChipCard, technology: CardTechnology) {
    this.#session = card.powerOn(technology);
  }

  /** One command, one response. */
  async raw(hex: string): Promise<Said | undefined> {
    const answer = await this.#session.transceive(fromHex(hex));
    if (!answer) return undefined;
    const text = toHex(answer);
    return { sw: text.slice(-4), data: text.slice(0, -4) };
  }

  /** A command and what T=0 makes of it (EMV 4.4 Book 1 §9.3.1). */
  async send(hex: string): Promise<Said> {
    const said = (await this.raw(hex)) ?? { sw: 'gone', data: '' };
    if (said.sw.startsWith('61')) return this.send(`00C00000${said.sw.slice(2)}`);
    if (said.sw.startsWith('6C')) return this.send(hex.slice(0, -2) + said.sw.slice(2));
    this.keep(said.data);
    return said;
  }

  /** A command with data; Le 00 follows. */
  async command(header: string, data: string): Promise<Said> {
    return this.send(`${header}${byte(data.length / 2)}${data}00`);
  }

  select(name: string): Promise<Said> {
    return this.command('00A40400', name);
  }

  /** What the card wants to know, by one of its lists. */
  valuesFor(list: string): string {
    let values = '';
    const bytes = fromHex(list);
    for (let at = 0; at < bytes.length;) {
      const long = (bytes[at]! & 0x1f) === 0x1f;
      const tag = toHex(bytes.subarray(at, at + (long ? 2 : 1)));
      at += long ? 2 : 1;
      values += (this.known.get(tag) ?? '').padStart(bytes[at++]! * 2, '0');
    }
    return values;
  }

  /** Selects, begins and reads an application; returns the data that is signed. */
  async begin(aid: string): Promise<string> {
    await this.select(aid);
    const values = this.valuesFor(this.known.get('9F38') ?? '');
    const options = await this.command('80A80000', `83${byte(values.length / 2)}${values}`);
    if (options.data.startsWith('80')) {
      const [aip, locator] = [options.data.slice(4, 8), options.data.slice(8)];
      this.known.set('82', aip).set('94', locator);
    }
    return this.readRecords();
  }

  async readRecords(): Promise<string> {
    let signed = '';
    for (const entry of this.known.get('94')?.match(/.{8}/g) ?? []) {
      const [sfi, first, last, signedCount] = fromHex(entry) as unknown as number[];
      for (let record = first!; record <= last!; record++) {
        const { data } = await this.send(`00B2${byte(record)}${byte(sfi! | 0x04)}00`);
        if (record < first! + signedCount!) signed += toHex(findTlv(fromHex(data), '70')!);
      }
    }
    return signed;
  }

  async generate(control: string, list: '8C' | '8D'): Promise<Said> {
    const said = await this.command(`80AE${control}00`, this.valuesFor(this.known.get(list)!));
    if (said.data.startsWith('80')) {
      const value = toHex(parseTlv(fromHex(said.data))[0]!.value);
      this.known.set('9F27', value.slice(0, 2)).set('9F36', value.slice(2, 6));
      this.known.set('9F26', value.slice(6, 22)).set('9F10', value.slice(22));
    }
    return said;
  }

  /** Keeps each primitive object of an answer under its tag. */
  keep(hex: string): void {
    const walk = (bytes: Uint8Array) => {
      for (const { tag, value } of parseTlv(bytes)) {
        if (/^(6F|A5|BF0C|61|70|77)$/.test(tag)) walk(value);
        else this.known.set(tag, toHex(value));
      }
    };
    // Some answers are bare bytes, such as a challenge.
    if (/^(6F|70|77|9F)/.test(hex)) walk(fromHex(hex));
  }
}

export function byte(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0');
}

/** RSA by arithmetic alone: what a signature says under a public key. */
export function recovered(modulus: string, exponent: string, signature: string): string {
  const [n, e, s] = [modulus, exponent, signature].map((hex) => BigInt(`0x${hex}`)) as [
    bigint,
    bigint,
    bigint,
  ];
  let result = 1n;
  for (const bit of e.toString(2)) result = (((result * result) % n) * (bit === '1' ? s : 1n)) % n;
  return result.toString(16).toUpperCase().padStart(modulus.length, '0');
}

export function sha1(hex: string): string {
  return createHash('sha1').update(fromHex(hex)).digest('hex').toUpperCase();
}

/** The issuer's key out of 90, or the card's out of 9F46 (EMV 4.4 Book 2 §5.3, §6.4); undefined when it is not good. */
function certifiedKey(
  signer: { modulus: string; exponent: string },
  parts: { certificate: string; remainder: string; exponent: string; headBytes: number; staticData?: string },
): { modulus: string; exponent: string } | undefined {
  const block = recovered(signer.modulus, signer.exponent, parts.certificate);
  const signed = block.slice(2, -42);
  const good =
    block.startsWith('6A') &&
    block.endsWith('BC') &&
    block.slice(-42, -2) === sha1(signed + parts.remainder + parts.exponent + (parts.staticData ?? ''));
  const length = Number.parseInt(signed.slice(parts.headBytes * 2 - 4, parts.headBytes * 2 - 2), 16);
  const modulus = signed.slice(parts.headBytes * 2) + parts.remainder;
  return good && modulus.length === length * 2 ? { modulus, exponent: parts.exponent } : undefined;
}

/** The card's key by everything that a terminal has read, back to the authority. */
export function recoverCardKey({ known }: PlainTerminal, signed: string) {
  const authority = TEST_CA_KEYS.find(
    ({ rid, index }) => known.get('84')!.startsWith(rid) && known.get('8F') === index,
  )!;
  const issuer = certifiedKey(authority, {
    certificate: known.get('90')!,
    remainder: known.get('92')!,
    exponent: known.get('9F32')!,
    headBytes: 14,
  });
  return (
    issuer &&
    certifiedKey(issuer, {
      certificate: known.get('9F46')!,
      remainder: known.get('9F48')!,
      exponent: known.get('9F47')!,
      headBytes: 20,
      staticData: signed + known.get('82')!,
    })
  );
}

/** The dynamic data of a signature over it and `terminalData` (EMV 4.4 Book 2 §6.5.2); undefined when it is wrong. */
export function dynamicDataOf(
  key: { modulus: string; exponent: string },
  signature: string,
  terminalData: string,
): string | undefined {
  const block = recovered(key.modulus, key.exponent, signature);
  const good = block.startsWith('6A0501') && block.endsWith('BC');
  if (!good || block.slice(-42, -2) !== sha1(block.slice(2, -42) + terminalData)) return undefined;
  return block.slice(8, 8 + Number.parseInt(block.slice(6, 8), 16) * 2);
}

/** Single DES, block by block: triple DES with one key. */
function des(key: Buffer, block: Buffer, way: 'encrypt' | 'decrypt'): Buffer {
  const make = way === 'encrypt' ? createCipheriv : createDecipheriv;
  const cipher = make('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** ISO/IEC 9797-1 MAC algorithm 3. */
function retailMac(key: string, data: string): string {
  const [left, right] = [Buffer.from(key.slice(0, 16), 'hex'), Buffer.from(key.slice(16), 'hex')];
  let chain = Buffer.alloc(8);
  for (const block of data.match(/.{16}/g)!) {
    const mixed = Buffer.from(block, 'hex').map((value, at) => value ^ chain[at]!);
    chain = Buffer.from(des(left, Buffer.from(mixed), 'encrypt'));
  }
  return des(left, des(right, chain, 'decrypt'), 'encrypt')
    .toString('hex')
    .toUpperCase();
}

function tripleDes(key: string, data: string): string {
  const cipher = createCipheriv('des-ede3-ecb', fromHex(key + key.slice(0, 16)), null).setAutoPadding(false);
  return toHex(Buffer.concat([cipher.update(fromHex(data)), cipher.final()]));
}

const MASTER_KEY = '0123456789ABCDEFFEDCBA9876543210';

/** EMV 4.4 Book 2 Annex A1.4.1, by hand. The parity bits are left as they come: DES does not look at them. */
export function derivedCardKey(pan: string, sequence: string): string {
  const y = (pan + sequence).slice(-16).padStart(16, '0');
  const inverted = toHex(fromHex(y).map((value) => value ^ 0xff));
  return tripleDes(MASTER_KEY, y) + tripleDes(MASTER_KEY, inverted);
}

function sessionKey(cardKey: string, counter: string): string {
  return tripleDes(cardKey, `${counter}F00000000000`) + tripleDes(cardKey, `${counter}0F0000000000`);
}

/** The issuer's view of a cryptogram: from the number on the card's face and what the terminal passes on. */
export function expectedCryptogram(
  { known }: PlainTerminal,
  name: string,
): { cryptogram: string; key: string } {
  const { pan, chip } = profileNamed(name);
  const of = (tag: string) => known.get(tag)!;
  const cardKey = derivedCardKey(pan, chip!.sequenceNumber);
  const said = ['9F02', '9F03', '9F1A', '95', '5F2A', '9A', '9C', '9F37', '82', '9F36'].map(of).join('');
  const iad = of('9F10');
  switch (chip!.cryptogramVersion) {
    case 'visa-10':
    case 'amex-01': {
      const data = said + iad.slice(6, 14);
      return { key: cardKey, cryptogram: retailMac(cardKey, zeroPadded(data)) };
    }
    case 'visa-18': {
      const key = sessionKey(cardKey, of('9F36'));
      return { key, cryptogram: retailMac(key, zeroPadded(`${said}${iad}80`)) };
    }
    case 'mastercard-14': {
      const key = sessionKey(cardKey, of('9F36'));
      return { key, cryptogram: retailMac(key, zeroPadded(`${said}${iad.slice(4, 16)}80`)) };
    }
  }
}

/** What the issuer answers in tag 91: its word, bound to the cryptogram (EMV 4.4 Book 2 §8.2). */
export function issuerAnswer(name: string, key: string, arqc: string, code: '00' | '05' = '00'): string {
  if (profileNamed(name).chip!.cryptogramVersion === 'visa-18') {
    const update = code === '00' ? '00800000' : '00000000';
    return `${retailMac(key, zeroPadded(`${arqc}${update}80`)).slice(0, 8)}${update}`;
  }
  const ascii = Buffer.from(code).toString('hex');
  const crossed = fromHex(arqc).map((value, at) => value ^ (fromHex(ascii)[at] ?? 0));
  return `${tripleDes(key, toHex(crossed))}${ascii}`;
}

function zeroPadded(hex: string): string {
  return hex.padEnd(Math.ceil(hex.length / 16) * 16, '0');
}
