import type { Readable } from 'node:stream';
import type { Clock } from '../../../protocol/clock.ts';
import { createIds, seededRandom, type Ids } from '../../../protocol/ids.ts';
import type { RequestDigests } from '../../platform/http/idempotency/keyed-request.ts';
import { createWorkOnce, isKeyKept } from '../../platform/http/idempotency/work-once.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import { readHeader } from './read-snapshot.ts';
import type { RestoredSnapshot } from './restore-rows.ts';
import { snapshotHeaderOf } from './write-snapshot.ts';
import type { SnapshotStorage, StoredSnapshot } from './snapshot-storage.ts';

const PREFIX = 'snap_';

/** Limits of the snapshots of a server. */
export interface SnapshotLimits {
  /** Snapshots that a server keeps. */
  countMax: number;
  /** Bytes of one snapshot, kept or restored. */
  bytesMax: number;
}

/** What the calls for snapshots do. */
export interface Snapshots {
  /**
   * Makes a snapshot of a sandbox.
   * @param request that makes it; the same again returns the snapshot that is there
   * @throws Refusal `too_many_snapshots`, `snapshot_too_large`
   */
  create(sandbox: string, request?: RequestDigests): Promise<StoredSnapshot>;
  /** Lists the snapshots of a sandbox, oldest first. */
  list(sandbox: string): Promise<StoredSnapshot[]>;
  find(sandbox: string, id: string): Promise<StoredSnapshot | undefined>;
  open(snapshot: StoredSnapshot): Readable;
  remove(snapshot: StoredSnapshot): Promise<void>;
  /** Returns a kept snapshot to restore. @throws Refusal `not_found` */
  restorable(id: string): Promise<RestoredSnapshot>;
  /**
   * Calls `restore` with a snapshot that is received.
   * @throws Refusal `not_a_snapshot`, `snapshot_newer`, `snapshot_damaged`, `snapshot_too_large`
   */
  receive<T>(content: Readable, restore: (snapshot: RestoredSnapshot) => Promise<T>): Promise<T>;
}

interface SnapshotsParts {
  storage: SnapshotStorage;
  limits: SnapshotLimits;
  ids: Ids;
  realClock: Clock;
  /** Returns the services of a sandbox. @throws Refusal `not_found` */
  servicesOf(sandbox: string): Promise<Services>;
}

/** Whether a text is the id of a snapshot: no name of a sandbox has an underscore. */
export function isSnapshotId(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function createSnapshots({ storage, limits, ids, realClock, servicesOf }: SnapshotsParts): Snapshots {
  const newId = () => PREFIX + ids.uuid();
  const workOnce = createWorkOnce();

  const withinNumber = createWithinNumber(storage, limits);

  function create(id: string, sandbox: string): Promise<StoredSnapshot> {
    return withinNumber(async () => {
      const services = await servicesOf(sandbox);
      const { store, program, faults } = services;
      const { exportTerminals } = program;
      await faults?.storeCounts();
      const header = () => snapshotHeaderOf(services);
      return storage.create(id, { name: sandbox, store, header, exportTerminals }, limits.bytesMax);
    });
  }

  /**
   * Returns the id of the snapshot that a request makes, and the snapshot where it is there. The id is derived from the
   * idempotency key, so attempts at the request on several servers make one.
   */
  async function placeOf({ keyDigest }: RequestDigests): Promise<{ id: string; made?: StoredSnapshot }> {
    const keyIds = createIds(realClock, seededRandom(keyDigest));
    for (;;) {
      const id = PREFIX + keyIds.uuid();
      const made = await storage.find(id);
      if (!made) return { id };
      if (isKeyKept(made.createdMs, realClock.nowMs())) return { id, made };
    }
  }

  async function createOf(request: RequestDigests, sandbox: string): Promise<StoredSnapshot> {
    return workOnce(request, {
      async find() {
        const { made } = await placeOf(request);
        if (made && made.sandbox !== sandbox) throw new Refusal('idempotency_key_reused');
        return made;
      },
      run: async () => create((await placeOf(request)).id, sandbox),
    });
  }

  return {
    create: (sandbox, request) => (request ? createOf(request, sandbox) : create(newId(), sandbox)),
    list: async (sandbox) => (await storage.list()).filter((snapshot) => snapshot.sandbox === sandbox),
    async find(sandbox, id) {
      const snapshot = await storage.find(id);
      return snapshot?.sandbox === sandbox ? snapshot : undefined;
    },
    open: (snapshot) => storage.open(snapshot),
    remove: (snapshot) => storage.remove(snapshot),
    async restorable(id) {
      const snapshot = await storage.find(id);
      if (!snapshot) throw new Refusal('not_found', { what: 'snapshot' });
      const file = { open: () => storage.open(snapshot), bytesMax: snapshot.bytes };
      return { header: await readHeader(file), file };
    },
    async receive(content, restore) {
      const file = await storage.receive(newId(), content, limits.bytesMax);
      try {
        return await restore({ header: await readHeader(file), file });
      } finally {
        await file.discard();
      }
    },
  };
}

/** Returns a function that makes a snapshot. @throws Refusal `too_many_snapshots` when there are as many as there may be */
function createWithinNumber(
  storage: Pick<SnapshotStorage, 'list' | 'remove'>,
  { countMax: limit }: Pick<SnapshotLimits, 'countMax'>,
) {
  let making = 0;
  const refuseBeyond = async (most: number) => {
    if ((await storage.list()).length > most) throw new Refusal('too_many_snapshots', { limit });
  };
  return async (make: () => Promise<StoredSnapshot>): Promise<StoredSnapshot> => {
    making += 1;
    try {
      await refuseBeyond(limit - making);
      const made = await make();
      // Of servers that make the last ones at once, each that comes to see all of them takes back its own.
      await refuseBeyond(limit).catch(async (refusal: unknown) => {
        await storage.remove(made);
        throw refusal;
      });
      return made;
    } finally {
      making -= 1;
    }
  };
}
