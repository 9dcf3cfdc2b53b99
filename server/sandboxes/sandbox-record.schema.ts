import { Fault } from '../../protocol/failures.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import { isSandboxName } from '../../protocol/sandbox-topics.ts';

const Keys = Type.Object({
  secretKey: Type.String({ minLength: 1 }),
  publicKey: Type.String({ minLength: 1 }),
  /** The same in a fork as in its source: the terminals' keys for card data are derived from it. */
  pairingSecret: Type.String({ minLength: 1 }),
  dashboardToken: Type.String({ minLength: 1 }),
});

const SandboxRecord = Type.Object({
  name: Type.String(),
  keys: Keys,
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
});

/** What is stored of a sandbox beside its objects. Holds its keys. */
export type SandboxRecord = Static<typeof SandboxRecord>;
export type SandboxKeys = Static<typeof Keys>;

const check = checker(SandboxRecord);

/**
 * Parses the text of a stored record.
 * @param where named in the fault
 * @throws Fault `data_folder` when it is not valid; the message quotes nothing of it
 */
export function parseSandboxRecord(text: string, where: string): SandboxRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('data_folder', `${where} is not JSON`);
  }
  const problem = check(value)[0];
  if (problem) throw new Fault('data_folder', `${where}: ${problem.path} ${problem.message}`);
  const record = value as SandboxRecord;
  if (!isSandboxName(record.name)) throw new Fault('data_folder', `${where}: name is not one of a sandbox`);
  return record;
}

/** Returns when a sandbox expires, in real time; undefined for never. */
export function expiryOf({ usedMs, expiresInSeconds }: SandboxRecord): number | undefined {
  return expiresInSeconds === null ? undefined : usedMs + expiresInSeconds * 1000;
}
