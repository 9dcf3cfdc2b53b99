import type { Clock } from '../../protocol/clock.ts';
import { createIds, seededRandom, type Ids } from '../../protocol/ids.ts';
import { DEFAULT_SANDBOX, isSandboxName } from '../../protocol/topics.ts';
import type { RequestDigests } from '../platform/http/idempotency/keyed-request.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import { ownSettingsIn, sandboxSettingsOf, type OwnSettings } from '../platform/own-settings.schema.ts';
import { UniqueViolation, type Transaction, type Store } from '../platform/store/store.ts';
import { deactivateWebhooks } from '../api/webhooks/webhook.records.ts';
import { readClockOffset, storeClockOffset } from '../platform/sandbox-clock.ts';
import { newestMs } from '../platform/store/tables.ts';
import { readFirstObjects, type FirstObjects } from './first-objects.ts';
import { forkWakeMs } from './sleep-state.ts';
import type { SandboxKeys, SandboxRecord } from './sandbox-record.schema.ts';
import { changedSettings } from './sandbox-settings.ts';
import type { SandboxRegistry } from './sandbox-registry.ts';
import type { SandboxInput } from './sandbox.schema.ts';
import type { RestoredSnapshot } from './snapshots/restore-rows.ts';
import type { SandboxOrigin } from './sandbox-storage.ts';

/** What a new sandbox begins as a copy of. */
export type CopySource = { fork: Services; name: string } | { snapshot: RestoredSnapshot };

/** What a new sandbox is to be. */
interface Creation {
  input: SandboxInput;
  source?: CopySource | undefined;
  /** The request with an idempotency key that creates it. */
  request?: RequestDigests | undefined;
}

export interface NewSandboxParts {
  registry: SandboxRegistry;
  /** The services of the sandbox `default`. */
  main: Services;
  ids: Ids;
  realClock: Clock;
  /** Writes the first objects of a sandbox that is no copy. */
  fill(tx: Transaction, record: SandboxRecord): Promise<void>;
}

/** A new sandbox, with its keys. */
export interface AddedSandbox {
  record: SandboxRecord;
  objects: FirstObjects;
}

const DAY_SECONDS = 86_400;
const SECRET_BYTES = 32;

// A path of the calls for sandboxes.
const RESERVED = 'restore';

/**
 * Stores a new sandbox, with new keys.
 * @throws Refusal `sandbox_exists`, `too_many_sandboxes`, `invalid_field` for a reserved name or an early clock
 */
export async function addSandbox(parts: NewSandboxParts, creation: Creation): Promise<AddedSandbox> {
  const { input, source } = creation;
  const { registry } = parts;
  await registry.refresh();
  registry.refuseWhenFull();
  const record = { ...newRecord(parts, creation), wakeMs: await wakeMsOf(input, source) };
  const objects = await add(parts, record, input, source).catch(refuseTaken(record.name));
  return { record, objects };
}

async function add(
  { registry, fill, main, realClock }: NewSandboxParts,
  record: SandboxRecord,
  { clock, webhooks }: SandboxInput,
  source: CopySource | undefined,
): Promise<FirstObjects> {
  const snapshot = source && 'snapshot' in source ? source.snapshot : undefined;
  const prepare = preparation(
    { clock, webhooks, savedMs: snapshot?.header.clockMs },
    { realClock, engine: main.store.engine, isCopy: source !== undefined },
  );
  if (source && 'fork' in source) {
    const { store, program, faults } = source.fork;
    const { exportTerminals } = program;
    await faults?.storeCounts();
    const objects = await readFirstObjects(store);
    await registry.add(record, { source: store, exportTerminals, prepare });
    return objects;
  }
  let objects: FirstObjects | undefined;
  await registry.add(record, {
    snapshot,
    async prepare(tx) {
      await prepare?.(tx);
      if (!snapshot) await fill(tx, record);
      objects = await readFirstObjects(tx);
    },
  });
  return objects!;
}

/** Returns when a new sandbox has something to do, as its record says it. */
async function wakeMsOf({ clock }: SandboxInput, source: CopySource | undefined): Promise<number | null> {
  if (!source) return null;
  // With another clock, what is due is known once it is open.
  return 'fork' in source && clock === undefined ? forkWakeMs(source.fork) : 0;
}

function newRecord(
  { registry, ids, main, realClock }: NewSandboxParts,
  { input, source, request }: Creation,
): SandboxRecord {
  const { name, seed, expiresInSeconds = DAY_SECONDS } = input;
  const nowMs = realClock.nowMs();
  const { from = null, pairingSecret, settings } = source ? originOf(source) : {};
  // Attempts at one request on several servers choose the same name, which only one of them gets.
  const nameIds = request ? createIds(realClock, seededRandom(request.keyDigest)) : ids;
  return {
    name: freeName({ registry, ids: nameIds }, name),
    keys: newKeys(ids, pairingSecret),
    createdMs: nowMs,
    usedMs: nowMs,
    expiresInSeconds,
    from,
    seed: seed ?? null,
    opens: 0,
    settings: changedSettings(main.settings, settings, input),
    ...(request && { request }),
  };
}

/** A copy keeps the settings of its source. */
function originOf(source: CopySource): { from: string; pairingSecret: string; settings: OwnSettings } {
  if ('fork' in source) {
    const { settings } = source.fork;
    return {
      from: source.name,
      pairingSecret: settings.pairingSecret,
      settings: sandboxSettingsOf(settings),
    };
  }
  const { header } = source.snapshot;
  return { from: header.sandbox, pairingSecret: header.pairingSecret, settings: ownSettingsIn(header) };
}

/**
 * Returns the name that is asked for, or one that is free.
 * @throws Refusal `sandbox_exists`, `invalid_field` for a reserved name
 */
function freeName({ registry, ids }: Pick<NewSandboxParts, 'registry' | 'ids'>, name?: string): string {
  // The first group of a UUID; one of a thousand sandboxes rarely has it.
  if (name === undefined) {
    const made = `sandbox-${ids.uuid().slice(0, 8)}`;
    return registry.has(made) ? freeName({ registry, ids }) : made;
  }
  if (!isSandboxName(name) || name === RESERVED)
    throw new Refusal('invalid_field', { field: 'name', problem: 'is reserved: choose another' });
  if (name === DEFAULT_SANDBOX || registry.has(name)) throw new Refusal('sandbox_exists', { name });
  return name;
}

/** @param pairingSecret that of the source of a copy */
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

interface PreparationParts {
  realClock: Clock;
  /** Of the new sandbox. */
  engine: Store['engine'];
  /** Whether it begins with objects of another. */
  isCopy: boolean;
}

interface Asked {
  clock?: SandboxInput['clock'] | undefined;
  webhooks?: SandboxInput['webhooks'] | undefined;
  /** Time of the sandbox when its snapshot was made, epoch milliseconds. */
  savedMs?: number | undefined;
}

/** Returns what changes a new sandbox as its creation asks for; undefined for nothing. */
function preparation(
  { clock, webhooks, savedMs }: Asked,
  { realClock, engine, isCopy }: PreparationParts,
): SandboxOrigin['prepare'] {
  if (clock === undefined && savedMs === undefined && (webhooks !== 'off' || !isCopy)) return undefined;
  return async (tx) => {
    if (clock !== undefined && isCopy) await refuseYounger(tx, engine, clock);
    const beginsMs = clock === undefined ? savedMs : clock * 1000;
    if (beginsMs !== undefined) await storeClockOffset(tx, beginsMs - realClock.nowMs());
    if (webhooks === 'off') await deactivateWebhooks(tx, realClock.nowMs() + (await readClockOffset(tx)));
  };
}

/** @throws Refusal `invalid_field` when something is younger than the clock */
async function refuseYounger(tx: Transaction, engine: Store['engine'], clock: number): Promise<void> {
  const newest = Math.ceil((await newestMs(tx, engine)) / 1000);
  if (newest <= clock) return;
  const problem = `must be ${newest} or later, when the newest object in the sandbox was created or last changed`;
  throw new Refusal('invalid_field', { field: 'clock', problem });
}
