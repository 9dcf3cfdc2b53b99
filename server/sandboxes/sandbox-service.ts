import type { Readable } from 'node:stream';
import { DEFAULT_SANDBOX } from '../../protocol/topics.ts';
import { storeCreatedMs } from '../api/bootstrap/bootstrap.ts';
import type { RequestDigests } from '../platform/http/idempotency/keyed-request.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import { sandboxSettingsOf } from '../platform/own-settings.schema.ts';
import { createWorkOnce, isKeyKept } from '../platform/http/idempotency/work-once.ts';
import { type FirstObjects, readFirstObjects } from './first-objects.ts';
import { addSandbox, type AddedSandbox, type CopySource, type NewSandboxParts } from './new-sandbox.ts';
import { pathPrefixOf } from './sandbox-contexts.ts';
import { expiryOf, type SandboxKeys, type SandboxRecord } from './sandbox-record.schema.ts';
import { appliedSettings, changedSettings } from './sandbox-settings.ts';
import type { SandboxInput, SandboxReply, SandboxUpdate } from './sandbox.schema.ts';
import {
  createSnapshots,
  isSnapshotId,
  type SnapshotLimits,
  type Snapshots,
} from './snapshots/snapshot-service.ts';
import type { SnapshotStorage } from './snapshots/snapshot-storage.ts';

/** What the calls under `/sandboxes` do. */
export interface Sandboxes {
  list(): Promise<SandboxReply[]>;
  find(name: string): Promise<SandboxReply | undefined>;
  /**
   * Creates a sandbox, new or as a fork.
   * @param request that creates it; the same again returns the sandbox that is there
   * @throws Refusal `sandbox_exists`, `too_many_sandboxes`, `not_found` for an unknown `from`, `invalid_field` for a
   *   reserved name
   */
  create(input: SandboxInput, request?: RequestDigests): Promise<NewSandbox>;
  /**
   * Creates a sandbox from a snapshot that is received.
   * @throws Refusal as `create`, and `not_a_snapshot`, `snapshot_newer`, `snapshot_damaged`, `snapshot_too_large`
   */
  restore(content: Readable, input: SandboxInput): Promise<NewSandbox>;
  readonly snapshots: Snapshots;
  /** Returns the token of the dashboard of a sandbox that is there. */
  dashboardTokenOf(name: string): string;
  /**
   * Changes the settings of a sandbox, from now on.
   * @throws Refusal `default_settings`, `sandbox_is_recorded`, and `invalid_field` for keys in a strict sandbox
   */
  update(name: string, input: SandboxUpdate): Promise<SandboxReply>;
  /** Closes and deletes a sandbox. @throws Refusal `default_sandbox` */
  remove(name: string): Promise<void>;
}

/** A sandbox that was just created, with its keys. */
export interface NewSandbox {
  reply: SandboxReply;
  keys: SandboxKeys;
  objects: FirstObjects;
}

/** What the routes of sandboxes need: the services of the platform, and the sandboxes of the server. */
export interface HostServices extends Services {
  /** All sandboxes of the server; only the sandbox `default` has it, and only where sandboxes can be kept. */
  sandboxes: Sandboxes | undefined;
}

interface SandboxesParts extends NewSandboxParts {
  storage: SnapshotStorage;
  limits: SnapshotLimits;
}

export function createSandboxes(parts: SandboxesParts): Sandboxes {
  const { registry, main } = parts;
  const { toReply, defaultReply } = repliesOf(main);
  const added = ({ record, objects }: AddedSandbox): NewSandbox => ({
    reply: toReply(record),
    keys: record.keys,
    objects,
  });

  async function servicesOf(name: string): Promise<Services> {
    if (name === DEFAULT_SANDBOX) return main;
    // Another server may have created it a moment ago.
    if (!registry.find(name)) await registry.refresh();
    if (!registry.find(name)) throw notFound();
    const { context, services, terminals } = await registry.open(name).catch(refuseDeleted);
    // They go into the copy as they stand.
    await terminals.start();
    // Its terminals may not have started, and the copy would lack them.
    if (context.closing) throw context.deleted ? notFound() : new Refusal('stopping');
    return services;
  }

  const createOnce = createSandboxOnce(parts);
  const snapshots = createSnapshots({ ...parts, servicesOf });

  /** Returns what `from` names: a sandbox or a snapshot. */
  async function sourceOf(from: string | undefined): Promise<CopySource | undefined> {
    if (from === undefined) return undefined;
    if (isSnapshotId(from)) return { snapshot: await snapshots.restorable(from) };
    return { fork: await servicesOf(from), name: from };
  }

  return {
    async list() {
      await registry.refresh();
      return [await defaultReply(), ...registry.records().map(toReply)];
    },
    async find(name) {
      if (name === DEFAULT_SANDBOX) return defaultReply();
      await registry.refresh();
      const record = registry.find(name);
      return record && toReply(record);
    },
    async create(input, request) {
      const run = async () => addSandbox(parts, { input, source: await sourceOf(input.from), request });
      return added(await createOnce(request, run));
    },
    restore: (content, input) =>
      snapshots.receive(content, async (snapshot) =>
        added(await addSandbox(parts, { input, source: { snapshot } })),
      ),
    snapshots,
    dashboardTokenOf(name) {
      if (name === DEFAULT_SANDBOX) return main.settings.dashboardToken;
      return registry.find(name)!.keys.dashboardToken;
    },
    async update(name, input) {
      if (name === DEFAULT_SANDBOX) throw new Refusal('default_settings');
      const { settings } = registry.find(name)!;
      const changed = changedSettings(main.settings, settings, input);
      if (registry.opened(name)?.isRecorded()) throw new Refusal('sandbox_is_recorded');
      await registry.saveSettings(name, changed);
      return toReply(registry.find(name)!);
    },
    async remove(name) {
      if (name === DEFAULT_SANDBOX) throw new Refusal('default_sandbox');
      await registry.remove(name);
    },
  };
}

/** Another server may have deleted the sandbox that a request names. */
function refuseDeleted(thrown: unknown): never {
  throw thrown instanceof Refusal ? notFound() : thrown;
}

function notFound(): Refusal {
  return new Refusal('not_found', { what: 'sandbox' });
}

/** Returns what shows a sandbox besides `default`, and `default` itself. */
function repliesOf({ settings, store }: Pick<Services, 'settings' | 'store'>) {
  const toReply = (record: SandboxRecord): SandboxReply => ({
    name: record.name,
    from: record.from,
    url: settings.publicUrl + pathPrefixOf(record.name),
    createdTimestamp: Math.floor(record.createdMs / 1000),
    expiresTimestamp: secondsOf(expiryOf(record)),
    ...appliedSettings(settings, record.settings),
  });
  const defaultReply = async (): Promise<SandboxReply> => ({
    name: DEFAULT_SANDBOX,
    from: null,
    url: settings.publicUrl,
    createdTimestamp: Math.floor((await storeCreatedMs(store)) / 1000),
    expiresTimestamp: null,
    ...sandboxSettingsOf(settings),
  });
  return { toReply, defaultReply };
}

function secondsOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}

/**
 * Returns a function that creates the sandbox of a request, or returns the one that an earlier attempt at the request
 * has created.
 */
function createSandboxOnce({ registry, realClock }: Pick<NewSandboxParts, 'registry' | 'realClock'>) {
  const workOnce = createWorkOnce();

  /** @throws Refusal `idempotency_key_reused` when its key created a sandbox of another request */
  async function find({ keyDigest, requestDigest }: RequestDigests): Promise<AddedSandbox | undefined> {
    await registry.refresh();
    const nowMs = realClock.nowMs();
    const record = registry
      .records()
      .find(({ request, createdMs }) => request?.keyDigest === keyDigest && isKeyKept(createdMs, nowMs));
    if (!record) return undefined;
    if (record.request?.requestDigest !== requestDigest) throw new Refusal('idempotency_key_reused');
    const { services } = await registry.open(record.name);
    return { record, objects: await readFirstObjects(services.store) };
  }

  return (request: RequestDigests | undefined, run: () => Promise<AddedSandbox>): Promise<AddedSandbox> =>
    request ? workOnce(request, { find: () => find(request), run }) : run();
}
