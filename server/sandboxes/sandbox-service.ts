import type { Clock } from '../../protocol/clock.ts';
import type { Ids } from '../../protocol/ids.ts';
import { DEFAULT_SANDBOX, isSandboxName } from '../../protocol/sandbox-topics.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import { UniqueViolation, type Transaction } from '../platform/store/store.ts';
import { readFirstObjects, type FirstObjects } from './first-objects.ts';
import { preparation } from './preparation.ts';
import { pathPrefixOf } from './sandbox-contexts.ts';
import { expiryOf, type SandboxKeys, type SandboxRecord } from './sandbox-record.schema.ts';
import { forkWakeMs } from './rest.ts';
import type { SandboxRegistry } from './sandbox-registry.ts';
import type { SandboxOrigin } from './sandbox-storage.ts';
import type { SandboxInput, SandboxReply } from './sandbox.schema.ts';

/** What the calls under `/sandboxes` do. */
export interface Sandboxes {
  list(): Promise<SandboxReply[]>;
  find(name: string): Promise<SandboxReply | undefined>;
  /**
   * Creates a sandbox, new or as a fork. It is opened when it is first used.
   * @throws Refusal `sandbox_exists`, `too_many_sandboxes`, `not_found` for an unknown `from`, `invalid_field` for a
   *   reserved name
   */
  create(input: SandboxInput): Promise<NewSandbox>;
  /** Closes and deletes a sandbox. @throws Refusal `default_sandbox` */
  remove(name: string): Promise<void>;
}

/** A sandbox that was just created, with its keys. */
export interface NewSandbox {
  reply: SandboxReply;
  keys: SandboxKeys;
  objects: FirstObjects;
}

declare module '../platform/services.ts' {
  interface Services {
    /** All sandboxes of the server; only the sandbox `default` has it, and only where sandboxes can be kept. */
    sandboxes?: Sandboxes;
  }
}

interface SandboxesParts {
  registry: SandboxRegistry;
  /** The services of the sandbox `default`. */
  main: Services;
  ids: Ids;
  realClock: Clock;
  /** Writes the first objects of a sandbox that is no fork. */
  fill(tx: Transaction, record: SandboxRecord): Promise<void>;
  /** Sandboxes besides `default` that there may be. */
  countMax: number;
}

const DAY_SECONDS = 86_400;
const SECRET_BYTES = 32;

export function createSandboxes(parts: SandboxesParts): Sandboxes {
  const { registry, main, ids, realClock, countMax } = parts;
  const startedMs = realClock.nowMs();

  const toReply = (record: SandboxRecord): SandboxReply => ({
    name: record.name,
    from: record.from,
    url: main.settings.publicUrl + pathPrefixOf(record.name),
    createdTimestamp: Math.floor(record.createdMs / 1000),
    expiresTimestamp: secondsOf(expiryOf(record)),
  });
  const defaultReply = (): SandboxReply => ({
    name: DEFAULT_SANDBOX,
    from: null,
    url: main.settings.publicUrl,
    createdTimestamp: Math.floor(startedMs / 1000),
    expiresTimestamp: null,
  });

  /** Returns the services of the sandbox to fork. */
  async function sourceOf(from: string): Promise<Services> {
    if (from === DEFAULT_SANDBOX) return main;
    if (!registry.find(from)) throw new Refusal('not_found', { what: 'sandbox' });
    return (await registry.open(from)).services;
  }

  return {
    async list() {
      await registry.refresh();
      return [defaultReply(), ...registry.records().map(toReply)];
    },
    async find(name) {
      if (name === DEFAULT_SANDBOX) return defaultReply();
      await registry.refresh();
      const record = registry.find(name);
      return record && toReply(record);
    },
    async create({ name, from, seed, clock, webhooks, expiresInSeconds = DAY_SECONDS }) {
      await registry.refresh();
      if (registry.records().length >= countMax) throw new Refusal('too_many_sandboxes', { limit: countMax });
      const source = from === undefined ? undefined : await sourceOf(from);
      const record = newRecord(
        {
          name: freeName(parts, name),
          keys: newKeys(ids, source?.settings.pairingSecret),
          from: from ?? null,
          seed: seed ?? null,
          expiresInSeconds,
          // With another clock, what is due is known once it is open.
          wakeMs: source ? (clock === undefined ? await forkWakeMs(source) : 0) : null,
        },
        realClock.nowMs(),
      );
      const change = preparation(
        { clock, webhooks },
        { realClock, engine: main.store.engine, isCopy: source !== undefined },
      );
      const objects = await add(parts, record, source, change).catch(refuseTaken(record.name));
      return { reply: toReply(record), keys: record.keys, objects };
    },
    async remove(name) {
      if (name === DEFAULT_SANDBOX) throw new Refusal('default_sandbox');
      await registry.remove(name);
    },
  };
}

/** Stores a sandbox, and returns what it begins with. */
async function add(
  { registry, fill }: SandboxesParts,
  record: SandboxRecord,
  source: Services | undefined,
  change: SandboxOrigin['prepare'],
): Promise<FirstObjects> {
  if (source) {
    const { store, exportTerminals } = source;
    const objects = await readFirstObjects(store);
    await registry.add(record, { source: store, exportTerminals, prepare: change });
    return objects;
  }
  let objects: FirstObjects | undefined;
  await registry.add(record, {
    async prepare(tx) {
      await change?.(tx);
      await fill(tx, record);
      objects = await readFirstObjects(tx);
    },
  });
  return objects!;
}

/**
 * Returns the name that is asked for, or one that is free.
 * @throws Refusal `sandbox_exists`, `invalid_field` for a reserved name
 */
function freeName({ registry, ids }: Pick<SandboxesParts, 'registry' | 'ids'>, name?: string): string {
  // The first group of a UUID; one of a thousand sandboxes rarely has it.
  if (name === undefined) {
    const made = `sandbox-${ids.uuid().slice(0, 8)}`;
    return registry.has(made) ? freeName({ registry, ids }) : made;
  }
  if (!isSandboxName(name))
    throw new Refusal('invalid_field', { field: 'name', problem: 'is reserved: choose another' });
  if (name === DEFAULT_SANDBOX || registry.has(name)) throw new Refusal('sandbox_exists', { name });
  return name;
}

/** Returns the record of a sandbox that was not opened yet. */
function newRecord(
  facts: Pick<SandboxRecord, 'name' | 'keys' | 'from' | 'seed' | 'expiresInSeconds' | 'wakeMs'>,
  nowMs: number,
): SandboxRecord {
  return { ...facts, createdMs: nowMs, usedMs: nowMs, opens: 0 };
}

/** @param pairingSecret that of the source of a fork */
function newKeys(ids: Ids, pairingSecret = ids.secret(SECRET_BYTES)): SandboxKeys {
  return {
    secretKey: `sk_sandbox_${ids.secret(SECRET_BYTES)}`,
    publicKey: `pk_sandbox_${ids.secret(SECRET_BYTES)}`,
    pairingSecret,
    dashboardToken: `dash_${ids.secret(SECRET_BYTES)}`,
  };
}

/** Another server on the same database can take the name meanwhile. */
function refuseTaken(name: string) {
  return (thrown: unknown): never => {
    throw thrown instanceof UniqueViolation ? new Refusal('sandbox_exists', { name }) : thrown;
  };
}

function secondsOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}
