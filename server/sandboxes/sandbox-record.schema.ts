import { Fault } from '../../protocol/failures.ts';
import { seededRandom, type Random } from '../../protocol/ids.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import { isSandboxName } from '../../protocol/topics.ts';
import { OwnSettings } from '../platform/own-settings.schema.ts';

const Keys = Type.Object({
  secretKey: Type.String({ minLength: 1 }),
  publicKey: Type.String({ minLength: 1 }),
  /** The same in a fork as in its source: the terminals' keys for card data are derived from it. */
  pairingSecret: Type.String({ minLength: 1 }),
  dashboardToken: Type.String({ minLength: 1 }),
});
export type SandboxKeys = Static<typeof Keys>;

const Facts = Type.Object({
  name: Type.String(),
  /** Real time, epoch milliseconds. */
  createdMs: Type.Integer(),
  /** Real time of the last use that was stored, epoch milliseconds. */
  usedMs: Type.Integer(),
  /** Real time without use after which it is deleted; null for never. */
  expiresInSeconds: Type.Union([Type.Integer(), Type.Null()]),
  /** Name of the sandbox that it is a fork of. */
  from: Type.Union([Type.String(), Type.Null()]),
  /** Makes ids and faults the same in every run. */
  seed: Type.Union([Type.String(), Type.Null()]),
  /** How often it was opened: each time with another sequence of the seed's random numbers. */
  opens: Type.Integer(),
  /** Real time at which something is due in it while it is closed, epoch milliseconds; null for nothing. */
  wakeMs: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  /** Its schema of PostgreSQL, which no other sandbox has or had; `sandbox_` and its name where none is stored. */
  schema: Type.Optional(Type.String()),
  /** In place of those of the server. */
  settings: Type.Optional(OwnSettings),
  /** The request that created it, where it had an idempotency key. */
  request: Type.Optional(Type.Object({ keyDigest: Type.String(), requestDigest: Type.String() })),
});

/** What is stored of a sandbox beside its objects and keys. */
type SandboxFacts = Static<typeof Facts>;

/** What is stored of a sandbox beside its objects. */
export type SandboxRecord = SandboxFacts & { keys: SandboxKeys };

const checkFacts = checker(Facts);
const checkKeys = checker(Keys);

/**
 * Parses the stored texts of a sandbox.
 * @param where named in the fault
 * @throws Fault `data_folder` when one is not valid; the message quotes nothing of it
 */
export function parseSandboxRecord(texts: { facts: string; keys: string }, where: string): SandboxRecord {
  const facts = parsed<SandboxFacts>(texts.facts, checkFacts, where);
  if (!isSandboxName(facts.name)) throw new Fault('data_folder', `${where}: name is not one of a sandbox`);
  return { ...facts, keys: parsed<SandboxKeys>(texts.keys, checkKeys, where) };
}

function parsed<T>(text: string, check: ReturnType<typeof checker>, where: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('data_folder', `${where}: not JSON`);
  }
  const problem = check(value)[0];
  if (problem) throw new Fault('data_folder', `${where}: ${problem.path} ${problem.message}`);
  return value as T;
}

/** Returns the randomness of a sandbox: the next sequence of its seed, or that of the server where it has none. */
export function randomOf({ seed, opens }: Pick<SandboxRecord, 'seed' | 'opens'>, random: Random): Random {
  return seed === null ? random : seededRandom(`${seed} ${opens}`);
}

/** Returns when a sandbox expires, in real time; undefined for never. */
export function expiryOf({ usedMs, expiresInSeconds }: SandboxRecord): number | undefined {
  return expiresInSeconds === null ? undefined : usedMs + expiresInSeconds * 1000;
}
