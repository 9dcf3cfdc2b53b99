import type { Clock } from '../protocol/clock.ts';
import { createIds, seededRandom, type Random } from '../protocol/ids.ts';
import { LOSS_NOTICED_MS, type Connector, type LinkCredentials } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import { DEFAULT_SANDBOX, inSandbox } from '../protocol/sandbox-topics.ts';
import { createSerialQueue } from '../protocol/serial-queue.ts';
import { bootstrapAccounts, type FirstAccounts } from './api/bootstrap/bootstrap.ts';
import { renewAcceptance } from './api/in-person/action-deadlines.ts';
import { DEADLINE_JOB } from './api/in-person/apply-action-event.ts';
import { actionOwners } from './api/in-person/action-owners.ts';
import { repeatActionsInProgress } from './api/in-person/action-reports.ts';
import { setAllOffline } from './api/in-person/terminal.records.ts';
import { scheduleRetention } from './api/retention/retention.ts';
import { recordEvents } from './api/webhooks/event-log.ts';
import { AREA_PORTS } from './area-ports.ts';
import { registerBackgroundJobs } from './background-jobs.ts';
import { dashboardPorts } from './dashboard-ports.ts';
import { createDashboard, type Dashboard } from './dashboard/serve-dashboard.ts';
import type { TransmittedMessage } from './platform/broker/report-intake.ts';
import { createClockAdvances } from './platform/clock-advance/clock-advances.ts';
import { createGateway } from './platform/broker/terminal-gateway.ts';
import { watchTerminalStates } from './platform/broker/terminal-states.ts';
import { createDomainEvents } from './platform/domain-events.ts';
import { createFaultPlans } from './platform/faults/fault-plans.ts';
import type { Taken } from './platform/faults/recoveries.ts';
import type { ServerKiller } from './platform/faults/kill-times.ts';
import { struckStore } from './platform/faults/struck-commits.ts';
import { createKeyExpiry } from './platform/http/idempotency/expired-keys.ts';
import { createContext, type RequestContext } from './platform/http/request-context.ts';
import { watchOtherInstances } from './platform/instances/other-instances.ts';
import { knownSecrets, maskSecrets } from './platform/mask-secrets.ts';
import { createNotices } from './platform/notices.ts';
import { createObservers, type Observers } from './platform/observers.ts';
import type { Outgoing } from './platform/outgoing.ts';
import { createRateLimits } from './platform/rate-limit.ts';
import { createRequestLog } from './platform/request-log/request-log.ts';
import type { SandboxClock } from './platform/sandbox-clock.ts';
import { createJobs } from './platform/scheduler/scheduler.ts';
import type { Services, TerminalMachineNames } from './platform/services.ts';
import { createTraffic } from './platform/traffic.ts';
import { watchedOutgoing } from './platform/watched-outgoing.ts';
import type { ServerSettings } from './platform/settings.ts';
import { createStoreCheck, watchStore, type StoreWatchParts } from './platform/store/store-watch.ts';
import type { Store } from './platform/store/store.ts';
import { setDashboard } from './routing.ts';
import { strikeTerminals } from './sandbox-controls/faults/struck-terminals.ts';
import { giveBackTo, takeFrom } from './sandbox-controls/faults/taken-parts.ts';
import { createSimulation } from './sandbox-controls/simulation.ts';
import { createRecordings } from './traces/recordings.ts';

/** What a sandbox is made of. */
export interface SandboxParts {
  settings: ServerSettings;
  /** Open and migrated. The sandbox closes it. */
  store: Store;
  clock: SandboxClock;
  realClock: Clock;
  random: Random;
  log: Log;
  outgoing: Outgoing;
  /** Names in the machine of the terminals that programs with this server simulate. */
  terminalMachine: TerminalMachineNames;
  /** Names this instance among those that share a store. */
  instanceId: string;
  /** Whether other instances may work on the store; unless said so, on PostgreSQL they may and on SQLite not. */
  sharedStore?: boolean;
  /** Whether keys of the settings may replace those that a shared store has; refused while a server runs under them. */
  replaceKeys?: boolean;
  /** What to do when the store fails for so long that only a new process could help (server/platform/store/store-watch.ts). */
  whenStoreIsLost?: StoreWatchParts['whenLost'];
  /** Calls what only observes; its own by default. */
  observers?: Observers;
  /** Ends the process at once, where something starts it again; without it, faults cannot kill it. */
  killer?: ServerKiller | undefined;
  /** The server's way to the broker. */
  broker: {
    connect: Connector;
    credentials: LinkCredentials;
    isEmbedded: boolean;
    /** Keeps the devices of the sandbox from the broker, or admits them again; an embedded one can. */
    keepAway?(isAway: boolean): void;
  };
}

/** Everything of one sandbox: its objects, clock, jobs, terminals' gateway and dashboard. */
export interface Sandbox {
  readonly name: string;
  readonly services: Services;
  readonly dashboard: Dashboard;
  /** What requests to it are served with. */
  readonly context: RequestContext;
  /** Accounts and keys in place, the gateway online, jobs running. */
  start(): Promise<FirstAccounts>;
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
  stop(closeOutgoing?: () => Promise<void>): Promise<void>;
}

/** Composes a sandbox. It does nothing until `start`. */
export function createSandbox(parts: SandboxParts): Sandbox {
  const { store, clock, realClock, instanceId, replaceKeys = false, broker } = parts;
  const sharedStore = parts.sharedStore ?? store.engine === 'postgres';
  const { services, jobs } = servicesOf(parts, sharedStore);
  const { clockAdvances, gateway, requestLog } = services;
  const keyExpiry = createKeyExpiry(services);
  const others = watchOtherInstances({ ...services, instanceId });
  const storeWatch = watchStore({ ...services, whenLost: parts.whenStoreIsLost });
  const ports = dashboardPorts(services);
  const dashboard = createDashboard(services, ports, `${instanceId} ${realClock.nowMs()}`);
  setDashboard(services, dashboard);
  registerBackgroundJobs(services);
  const idle = (waitingJobs = 0) =>
    jobs.idle(waitingJobs) &&
    [others, keyExpiry, dashboard.timelines].every((part) => part.idle()) &&
    isIdle(services);
  if (services.settings.mode === 'sandbox') {
    services.recordings = createRecordings(services, dashboard, () => idle() && !clockAdvances.isUnderWay());
    runFaults(services, store);
  }
  forgetOnReset(services);

  return {
    name: services.settings.sandbox ?? DEFAULT_SANDBOX,
    services,
    dashboard,
    context: createContext(services),
    async start() {
      storeWatch.start();
      const shared = sharedStore ? { instanceId, realNowMs: realClock.nowMs(), replaceKeys } : undefined;
      const accounts = await bootstrapAccounts(services, shared);
      await store.transaction((tx) => scheduleRetention(tx, services));
      await store.transaction((tx) => renewAcceptance(tx, services));
      if (broker.isEmbedded) await store.transaction(setAllOffline);
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
    kill: () =>
      endAtOnce(
        [storeWatch, clockAdvances, jobs, others, keyExpiry, services.faults, dashboard.timelines],
        gateway,
      ),
    async stop(closeOutgoing = async () => {}) {
      this.stopWatching();
      // No new work begins, and the sandbox does not wait for a receiver that hangs: its delivery is retried later.
      const stopped = Promise.all([clockAdvances.stop(), jobs.stop(), others.stop(), keyExpiry.stop()]);
      await closeOutgoing();
      await stopped;
      await requestLog?.stop();
      await services.faults?.stop();
      await gateway.close();
      await dashboard.timelines.stop();
      await store.close();
    },
  };
}

/** Creates the plans of faults. What struck is stored at once, even where the store is slow. */
function runFaults(services: Services, store: Store): void {
  const giveBack = (terminalId: string, what: Taken) => giveBackTo(services, terminalId, what);
  services.faults = createFaultPlans({ ...services, store, giveBack });
  strikeTerminals(services);
}

/** Whether gateway, clock, request log and faults have nothing under way. */
function isIdle({ clockAdvances, faults, gateway, requestLog }: Services): boolean {
  const isClockIdle = !clockAdvances.isUnderWay() || clockAdvances.isWaiting();
  return gateway.idle() && isClockIdle && (requestLog?.idle() ?? true) && (faults?.idle() ?? true);
}

/** Stops parts without waiting for any of them. */
function endAtOnce(parts: readonly ({ stop(): unknown } | undefined)[], gateway: Services['gateway']): void {
  for (const part of parts) part?.stop();
  void gateway.close();
}

/** Lets faults kill the server once it is ready. A test world has no killer: it is ready when its sandbox has started. */
function admitKills({ faults }: Services, killer: ServerKiller | undefined): void {
  if (killer) void killer.ready.then(() => faults?.admitKills('a pause'));
  else faults?.admitKills('at once');
}

function forgetOnReset({ notices, requestLog, faults }: Services): void {
  notices.listen('reset of the request log and the faults', ({ kind }) => {
    if (kind !== 'sandbox.reset') return;
    requestLog?.clear();
    faults?.clear();
  });
}

function servicesOf(parts: SandboxParts, sharedStore: boolean) {
  const { settings, clock, realClock, random, log, instanceId, broker } = parts;
  const store = struckStore(parts.store, {
    faults: () => services.faults,
    killer: () => services.killServer,
  });
  const { observers = createObservers({ log, clock: realClock }) } = parts;
  const notices = createNotices(observers);
  const known = knownSecrets(settings);
  const onMessage = ({ way, terminalId, name, actionId, body }: TransmittedMessage) => {
    notices.emit({
      kind: `message.${way}`,
      terminalId,
      name,
      actionId,
      body: () => maskSecrets(body, { known }),
    });
  };
  const ids = createIds(clock, random);
  const jobs = createJobs({ store, clock, realClock, log, instanceId, soleOwner: !sharedStore });
  const gateway = createGateway({
    connect: inSandbox(broker.connect, settings.sandbox ?? DEFAULT_SANDBOX),
    credentials: broker.credentials,
    log,
    ownsAction: actionOwners(store, notices),
    oneAtATime: store.engine !== 'sqlite',
    onMessage,
    onRefused: (refused) => notices.emit({ kind: 'message.refused', ...refused }),
    faults: () => services.faults,
    ...(!broker.isEmbedded && { lossNoticedMs: LOSS_NOTICED_MS }),
    keepFromBroker: broker.keepAway,
    cutNetwork: (terminalId) => takeFrom(services, terminalId, 'messages'),
  });
  const traffic = createTraffic(observers);
  const outgoing = watchedOutgoing(parts.outgoing, traffic);
  const common = { settings, clock, realClock, random, log, store, outgoing };
  const domainEvents = createDomainEvents((tx, events) => recordEvents(tx, services, events));
  const passing = { jobs, sharedStore, actionJob: DEADLINE_JOB };
  const services: Services = {
    ...common,
    ...AREA_PORTS,
    clockAdvances: createClockAdvances({ ...common, gateway, notices }, passing),
    ids,
    jobs,
    domainEvents,
    gateway,
    notices,
    observers,
    traffic,
    rateLimits: createRateLimits(settings, realClock),
    simulation: createSimulation({ gateway, ids, realClock }),
    terminalMachine: parts.terminalMachine,
    terminalStates: watchTerminalStates(gateway, notices),
    storeProblem: createStoreCheck(store, realClock),
    resets: createSerialQueue(),
    requestLog: requestLogOf(parts, observers),
    ...(parts.killer && { killServer: parts.killer.kill }),
  };
  return { services, jobs };
}

function requestLogOf(
  { settings, store, clock, realClock, log, instanceId }: SandboxParts,
  observers: Observers,
) {
  const { mode, requestLog: limits } = settings;
  if (mode === 'live' || !limits || limits.countMax === 0) return undefined;
  // Requests are stored when there is time for it: their ids must not change those of what a seed repeats.
  const random = seededRandom(`requests ${instanceId} ${realClock.nowMs()}`);
  return createRequestLog({
    store,
    realClock,
    log,
    observers,
    limits,
    known: knownSecrets(settings),
    ids: createIds(clock, random),
  });
}

function repeatOrLog(services: Services): void {
  repeatActionsInProgress(services).catch((error: unknown) => {
    services.log.error({ err: error }, 'actions in progress could not be repeated to their terminals');
  });
}
