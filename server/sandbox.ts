import { DEFAULT_SANDBOX } from '../protocol/topics.ts';
import { bootstrapAccounts, firstAccounts, type FirstAccounts } from './api/bootstrap/bootstrap.ts';
import { renewAcceptance } from './api/in-person/actions/action-deadlines.ts';
import { repeatActionsInProgress } from './api/in-person/reports/action-reports.ts';
import { setAllOffline } from './api/in-person/terminals/terminal.records.ts';
import { scheduleRetention } from './api/retention/retention.ts';
import { registerBackgroundJobs } from './background-jobs.ts';
import { createServices, type Environment } from './create-services.ts';
import { dashboardPorts } from './dashboard-ports.ts';
import type { DashboardPorts } from './dashboard/ports.ts';
import { createDashboard, type Dashboard } from './dashboard/serve-dashboard.ts';
import type { ServerKiller } from './platform/faults/kill-times.ts';
import { createKeyExpiry } from './platform/http/idempotency/expired-keys.ts';
import { createContext, type RequestContext } from './platform/http/request-context.ts';
import { watchOtherInstances } from './platform/instances/other-instances.ts';
import { shareRateLimits } from './platform/instances/shared-rate-limits.ts';
import type { Observers } from './platform/observers.ts';
import type { Services } from './platform/services.ts';
import type { SandboxServices } from './area-ports.ts';
import type { HostServices } from './sandboxes/sandbox-service.ts';
import type { StoreClosing } from './platform/store/store.ts';
import { watchStore, type StoreWatchParts } from './platform/store/store-watch.ts';
import { setDashboard } from './routing.ts';
import { createCertificates, type CertifiedServices } from './sandbox-controls/certificates/certificates.ts';
import { strikeTerminals } from './sandbox-controls/faults/struck-terminals.ts';
import { createRecordings, type RecordedServices } from './traces/recordings.ts';

/** What a sandbox is made of. Its store is open and migrated; the sandbox closes it. */
export interface SandboxParts extends Omit<Environment, 'sharedStore'> {
  /** Whether other instances may work on the store; unless given, on PostgreSQL they may and on SQLite not. */
  sharedStore?: boolean;
  /** Whether keys of the settings may replace those that a shared store has; refused while a server runs under them. */
  replaceKeys?: boolean;
  /** What to do when the store fails for so long that only a new process could help (server/platform/store/store-watch.ts). */
  whenStoreIsLost?: StoreWatchParts['whenLost'];
  /** Calls what only observes; its own by default. */
  observers?: Observers;
  /** Loads the player of drills, for the dashboard of the sandbox `default`; none are played without it. */
  loadDrills?: DashboardPorts['loadDrills'];
  /** Ends the process at once, where something starts it again; without it, faults cannot kill it. */
  killer?: ServerKiller | undefined;
}

/** What a sandbox answers requests with. */
export interface ServedServices extends SandboxServices, RecordedServices, CertifiedServices, HostServices {}

interface StartOptions {
  /** Whether its store was filled a moment ago with accounts, the keys of the settings and nothing that goes on. */
  isFilled?: boolean;
}

/** Everything of one sandbox: its objects, clock, jobs, terminals' gateway and dashboard. */
export interface Sandbox {
  readonly name: string;
  readonly services: ServedServices;
  readonly dashboard: Dashboard;
  /** What requests to it are served with. */
  readonly context: RequestContext;
  /** Accounts and keys in place, the gateway online, jobs running. */
  start(options?: StartOptions): Promise<FirstAccounts>;
  /**
   * Whether nothing is under way: no job, no report, no command.
   * @param waitingJobs how many jobs wait for another server, and do nothing until then
   */
  idle(waitingJobs?: number): boolean;
  /** Watches the store no longer. The first step of stopping. */
  stopWatching(): void;
  /** Ends everything at once, as the end of its process would, once its store answers no more. */
  kill(): void;
  /** Ends what is under way, then closes everything; what was not done yet is done after the next start. */
  stop(closeOutgoing?: () => Promise<void>, closing?: StoreClosing): Promise<void>;
}

/**
 * Composes a sandbox. It does nothing until `start`.
 * @param host makes the other sandboxes of the server, for the sandbox `default`
 */
export function createSandbox(
  parts: SandboxParts,
  host?: (main: SandboxServices) => ServedServices['sandboxes'],
): Sandbox {
  const { store, clock, realClock, instanceId, broker } = parts;
  const sharedStore = parts.sharedStore ?? store.engine === 'postgres';
  const services = servicesOf(parts, sharedStore);
  const { clockAdvances, gateway, jobs, requestLog } = services;
  const keyExpiry = createKeyExpiry(services);
  const others = followOthers({ ...services, instanceId });
  const storeWatch = watchStore({ ...services, whenLost: parts.whenStoreIsLost });
  const ports = { ...dashboardPorts(services), loadDrills: parts.loadDrills };
  const dashboard = createDashboard(services, ports, `${instanceId} ${realClock.nowMs()}`);
  registerBackgroundJobs(services);
  const idle = (waitingJobs = 0) =>
    jobs.idle(waitingJobs) &&
    [others, keyExpiry, dashboard.timelines].every((part) => part.idle()) &&
    isIdle(services);
  strikeTerminals(services);
  forgetOnReset(services);
  const served: ServedServices = {
    ...services,
    ...heldInMemory(services, dashboard, () => idle() && !clockAdvances.isInProgress()),
    sandboxes: host?.(services),
  };
  setDashboard(served, dashboard);

  return {
    name: services.settings.sandbox ?? DEFAULT_SANDBOX,
    services: served,
    dashboard,
    context: createContext(served),
    async start({ isFilled = false } = {}) {
      storeWatch.start();
      const accounts = await prepareStore(services, { ...parts, sharedStore, isFilled });
      await services.faults?.start(sharedStore);
      const online = new Promise<void>((resolve) => gateway.onOnline(resolve));
      gateway.onOnline(() => repeatOrLog(services));
      gateway.publishClock(clock.offsetMs);
      gateway.open();
      jobs.start();
      await clockAdvances.start();
      if (sharedStore) others.start();
      await keyExpiry.start(sharedStore);
      // An external broker may be away; the server then serves without its terminals until it is back.
      if (broker.isEmbedded) await online;
      admitKills(services, parts.killer);
      return accounts;
    },
    idle,
    stopWatching() {
      storeWatch.stop();
      services.faults?.releaseStore();
    },
    kill: () => endAtOnce([storeWatch, clockAdvances, jobs, others, keyExpiry, dashboard.timelines], served),
    async stop(closeOutgoing = async () => {}, closing = {}) {
      this.stopWatching();
      served.certificates?.stop();
      // No new work begins, and the sandbox does not wait for a receiver that hangs: its delivery is retried later.
      const stopped = Promise.all([clockAdvances.stop(), jobs.stop(), others.stop(), keyExpiry.stop()]);
      await closeOutgoing();
      await stopped;
      await requestLog?.stop();
      await services.faults?.stop();
      await gateway.close();
      await dashboard.timelines.stop();
      await store.close(closing);
    },
  };
}

/** Follows the other servers on the store: their clock and their requests. */
function followOthers(parts: Parameters<typeof watchOtherInstances>[0] & Pick<Services, 'rateLimits'>) {
  const followed = [watchOtherInstances(parts), shareRateLimits(parts)];
  return {
    start: () => followed.forEach((part) => part.start()),
    idle: () => followed.every((part) => part.idle()),
    stop: async () => void (await Promise.all(followed.map((part) => part.stop()))),
  };
}

function servicesOf(
  { observers, killer, loadDrills: _drills, ...parts }: SandboxParts,
  sharedStore: boolean,
): SandboxServices {
  return createServices(
    { ...parts, sharedStore },
    { ...(observers && { observers }), ...(killer && { killServer: killer.kill }) },
  );
}

/** Writes what has to be in the store before the sandbox starts, and returns its first accounts. */
async function prepareStore(
  services: Services,
  {
    store,
    broker,
    sharedStore,
    realClock,
    instanceId,
    replaceKeys = false,
    isFilled,
  }: SandboxParts & Required<StartOptions>,
): Promise<FirstAccounts> {
  const retain = () => store.transaction((tx) => scheduleRetention(tx, services), { serializable: 'start' });
  if (isFilled && !sharedStore) {
    if (services.settings.retentionDays !== undefined) await retain();
    return firstAccounts(store);
  }
  const shared = sharedStore ? { instanceId, realNowMs: realClock.nowMs(), replaceKeys } : undefined;
  const accounts = await bootstrapAccounts(services, shared);
  await retain();
  await store.transaction((tx) => renewAcceptance(tx, services), { serializable: 'start' });
  if (broker.isEmbedded) await store.transaction(setAllOffline, { serializable: 'start' });
  return accounts;
}

/** Returns the recordings and certificates of a sandbox; none with live keys. */
function heldInMemory(
  services: Services,
  dashboard: Dashboard,
  hasNothingToDo: () => boolean,
): Pick<ServedServices, 'recordings' | 'certificates'> {
  if (services.settings.mode === 'live') return { recordings: undefined, certificates: undefined };
  return {
    recordings: createRecordings(services, dashboard, hasNothingToDo),
    certificates: createCertificates(services),
  };
}

/** Whether gateway, clock, request log and faults have nothing under way. */
function isIdle({
  clockAdvances,
  faults,
  gateway,
  requestLog,
}: Pick<Services, 'clockAdvances' | 'faults' | 'gateway' | 'requestLog'>): boolean {
  const isClockIdle = !clockAdvances.isInProgress() || clockAdvances.isWaiting();
  return gateway.idle() && isClockIdle && (requestLog?.idle() ?? true) && (faults?.idle() ?? true);
}

/** Stops parts without waiting for any of them. */
function endAtOnce(
  parts: readonly { stop(): unknown }[],
  { certificates, faults, gateway }: Pick<ServedServices, 'certificates' | 'faults' | 'gateway'>,
): void {
  for (const part of [...parts, faults, certificates]) part?.stop();
  void gateway.close();
}

/** Lets faults kill the server once it is ready. */
function admitKills({ faults }: Pick<Services, 'faults'>, killer: ServerKiller | undefined): void {
  if (killer?.ready) void killer.ready.then(() => faults?.admitKills('a pause'));
  else faults?.admitKills('at once');
}

function forgetOnReset({
  activities,
  requestLog,
  faults,
}: Pick<Services, 'activities' | 'requestLog' | 'faults'>): void {
  activities.listen('reset of the request log and the faults', (activity) => {
    // A terminal that is deleted gets no later message, after which one that was lost does not matter.
    if (activity.kind === 'terminal.removed') faults?.forgetLost(activity.terminalId);
    if (activity.kind !== 'sandbox.reset') return;
    requestLog?.clear();
    faults?.clear();
  });
}

function repeatOrLog(services: Services): void {
  repeatActionsInProgress(services).catch((error: unknown) => {
    services.log.error({ err: error }, 'actions in progress could not be repeated to their terminals');
  });
}
