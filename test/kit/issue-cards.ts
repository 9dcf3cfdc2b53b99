import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RsaPrivateKey } from '../../protocol/cryptography/rsa.ts';
import { parseCardProfile, type ChipCardProfile } from '../../simulator/cards/card-profile.ts';
import type { IssuedChip } from '../../simulator/cards/issued-chip.ts';
import { PROFILES } from '../../simulator/cards/card-files.ts';
import { AUTHORITY_INDEX, issueChip, PROVIDERS, type NetworkKeys } from './card-issuer.ts';

/**
 * `npm run cards`, in the project's folder: issues a chip to each profile that has one, with the keys that are
 * checked in, and lists the files of all cards in card-files.ts. Unchanged profiles keep their chips. Creates missing keys.
 */

type Network = keyof typeof PROVIDERS;

const AUTHORITY_FILE = 'test/kit/issuer-keys.json';
const PUBLIC_FILE = 'agent/emv/test-ca-keys.ts';
const profileFile = (name: string) => `simulator/cards/profiles/${name}.json`;
const chipFile = (name: string) => `simulator/cards/chips/${name}.json`;
const LIST_FILE = 'simulator/cards/card-files.ts';

const ISSUER_BITS = 1152;
const CARD_BITS = 1024;

const networks = networkKeys();
writeFileSync(AUTHORITY_FILE, json(networks));
writeFileSync(PUBLIC_FILE, publicKeys(networks));
const names = cardNames();
const withChip: string[] = [];
for (const name of names) {
  const profile = parseCardProfile(name, readJson(profileFile(name)));
  if (!profile.chip) continue;
  withChip.push(name);
  const before = readJson<Partial<IssuedChip>>(chipFile(name));
  const iccKey = before?.iccKey ?? newKey(CARD_BITS);
  const issued = issueChip(profile as ChipCardProfile, iccKey, networks[profile.scheme]);
  writeFileSync(chipFile(name), json(issued));
}
writeFileSync(LIST_FILE, cardFiles(names, withChip));

/** Returns the names of the files in profiles/: those listed before in their order, then new ones. */
function cardNames(): string[] {
  const found = readdirSync('simulator/cards/profiles').map((file) => file.replace(/\.json$/, ''));
  return [...new Set([...Object.keys(PROFILES).filter((name) => found.includes(name)), ...found.toSorted()])];
}

function cardFiles(all: readonly string[], chips: readonly string[]): string {
  const camel = (name: string) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const imports = (folder: string, some: readonly string[], suffix = '') =>
    some
      .toSorted()
      .map(
        (name) => `import ${camel(name)}${suffix} from './${folder}/${name}.json' with { type: 'json' };\n`,
      )
      .join('');
  const rows = (some: readonly string[], suffix = '') =>
    some.map((name) => `  '${name}': ${camel(name)}${suffix},\n`).join('');
  return `${imports('profiles', all)}${imports('chips', chips, 'Chip')}
// Written by \`npm run cards\`.

/** All files of profiles/ by card name, in display order. */
export const PROFILES: Record<string, unknown> = {
${rows(all)}};

/** All files of chips/ by card name: the keys of each card with a chip. */
export const ISSUED_CHIPS: Record<string, unknown> = {
${rows(chips, 'Chip')}};
`;
}

function networkKeys(): Record<Network, NetworkKeys> {
  const before = readJson<Record<string, NetworkKeys>>(AUTHORITY_FILE);
  const entries = Object.keys(PROVIDERS).map((network): [string, NetworkKeys] => [
    network,
    before?.[network] ?? {
      authority: newKey(ISSUER_BITS),
      issuer: newKey(ISSUER_BITS),
      stranger: newKey(ISSUER_BITS),
    },
  ]);
  return Object.fromEntries(entries) as Record<Network, NetworkKeys>;
}

/** EMV 4.4 Book 2 §11.1 allows 3 and 2^16 + 1 as exponents; 3 is what cards have. */
function newKey(bits: number): RsaPrivateKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: 3 });
  const { n, e, d, p, q } = privateKey.export({ format: 'jwk' });
  const hex = (number: string | undefined) => Buffer.from(number!, 'base64url').toString('hex').toUpperCase();
  return { modulus: hex(n), exponent: hex(e), privateExponent: hex(d), primes: [hex(p), hex(q)] };
}

function publicKeys(keys: Record<Network, NetworkKeys>): string {
  const rows = Object.entries(keys).map(([network, { authority }]) => {
    const pieces = authority.modulus.match(/.{1,96}/g)!.map((piece) => `'${piece}'`);
    return [
      '  {',
      `    rid: '${PROVIDERS[network as Network]}',`,
      `    index: '${AUTHORITY_INDEX}',`,
      `    exponent: '${authority.exponent}',`,
      '    modulus:',
      `      ${pieces.join(' +\n      ')},`,
      '  },',
    ].join('\n');
  });
  return `/**
 * Public keys of the certification authorities of the simulated cards (EMV 4.4 Book 2 §5.2).
 * Written by \`npm run cards\`.
 */
export const TEST_CA_KEYS: readonly { rid: string; index: string; exponent: string; modulus: string }[] = [
${rows.join('\n')}
];
`;
}

function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
