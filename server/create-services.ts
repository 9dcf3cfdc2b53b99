import { createIds, seededRandom } from '../protocol/ids.ts';
import { inSandbox, LOSS_DETECTED_MS, type Connector, type LinkCredentials } from '../protocol/link.ts';
import { createSerialQueue } from '../protocol/serial-queue.ts';
import { DEFAULT_SANDBOX } from '../protocol/topics.ts';
import { DEADLINE_JOB } from './api/in-person/actions/apply-action-event.ts';
import { actionOwners } from './api/in-person/reports/action-owners.ts';
import { recordEvents } from './api/webhooks/event-log.ts';
import { areaPorts, type SandboxServices } from './area-ports.ts';
import type { TransmittedMessage } from './platform/broker/report-intake.ts';
import { createGateway } from './platform/broker/terminal-gateway.ts';
import { watchTerminalStates } from './platform/broker/terminal-states.ts';
import { untilOthersFollow } from './platform/instances/other-instances.ts';
import { createClockAdvances } from './platform/clock-advance/clock-advances.ts';
import { createDomainEvents } from './platform/domain-events.ts';
import { createFaultPlans, type FaultPlans } from './platform/faults/fault-plans.ts';
import type { Taken } from './platform/faults/recoveries.ts';
import { struckStore } from './platform/faults/struck-commits.ts';
import type { RequestLog } from './platform/finished-request.ts';
import type { Gateway } from './platform/gateway.ts';
import { knownSecrets, maskSecrets } from './platform/mask-secrets.ts';
import { createActivities, type Activities } from './platform/activities.ts';
import { createObservers, type Observers } from './platform/observers.ts';
import { createProgramHooks } from './platform/program-hooks.ts';
import { createRateLimits } from './platform/rate-limit.ts';
import { createRequestLog } from './platform/request-log/request-log.ts';
import { createJobs } from './platform/scheduler/scheduler.ts';
import type { Services } from './platform/services.ts';
import { createStoreCheck } from './platform/store/store-watch.ts';
import { createInputs, watchedOutgoing } from './platform/inputs.ts';
import { giveBackTo, takeFrom } from './sandbox-controls/faults/struck-terminals.ts';
import { createSimulation } from './sandbox-controls/simulation.ts';

/** The way of a server to the broker. */
interface BrokerAccess {
  connect: Connector;
  credentials: LinkCredentials;
  isEmbedded: boolean;
  /** Keeps the devices of the sandbox from the broker, or admits them again; an embedded one can. */
  keepAway?(isAway: boolean): void;
}

/** What surrounds a sandbox, and is handed in. */
export interface Environment extends Pick<
  Services,
  'settings' | 'store' | 'clock' | 'realClock' | 'random' | 'log' | 'outgoing' | 'terminalMachine'
> {
  /** Names this instance among those that share a store. */
  instanceId: string;
  /** Whether other instances may work on the store. */
  sharedStore: boolean;
  broker: BrokerAccess;
}

/** Services to use in place of those that `createServices` makes. The others are made with them. */
export type Overrides = Partial<Omit<SandboxServices, keyof Environment>>;

/**
 * Creates the services of a sandbox, complete: nothing is added to them later. Nothing runs before the gateway opens and
 * the jobs start.
 */
export function createServices(environment: Environment, overrides: Overrides = {}): SandboxServices {
  const { settings, clock, realClock, random, log, sharedStore } = environment;
  const { observers = createObservers({ log, clock: realClock }) } = overrides;
  const { activities = createActivities(observers), ids = createIds(clock, random) } = overrides;
  const { faults = faultsOf({ ...environment, activities }, () => services) } = overrides;
  const store = struckStore(environment.store, { faults, kill: overrides.killServer });
  const { jobs = createJobs({ ...environment, store, soleOwner: !sharedStore }) } = overrides;
  const { gateway = gatewayOf({ ...environment, store, activities, faults }, () => services) } = overrides;
  const common = { settings, clock, realClock, random, log, store, activities, gateway };
  const inputs = createInputs(observers);
  const services: SandboxServices = {
    ...common,
    ...areaPorts(() => services),
    ids,
    observers,
    jobs,
    faults,
    inputs,
    outgoing: watchedOutgoing(environment.outgoing, inputs),
    clockAdvances: createClockAdvances(common, {
      jobs,
      sharedStore,
      othersFollow: sharedStore
        ? (offsetMs) => untilOthersFollow(common, { instanceId: environment.instanceId, offsetMs })
        : undefined,
      actionJob: DEADLINE_JOB,
    }),
    events: createDomainEvents((tx, events) => recordEvents(tx, services, events)),
    rateLimits: createRateLimits(settings, realClock),
    simulation: createSimulation({ gateway, ids, realClock }),
    terminalMachine: environment.terminalMachine,
    terminalStates: watchTerminalStates(gateway, activities),
    storeProblem: createStoreCheck(store, realClock),
    resets: createSerialQueue(),
    program: createProgramHooks(),
    requestLog: requestLogOf(environment, observers),
    ...overrides,
  };
  return services;
}

/**
 * Creates the plans of faults; none with live keys.
 * @param services returns the services in which the plans are, once they are made
 */
function faultsOf(
  parts: Pick<Environment, 'settings' | 'clock' | 'realClock' | 'store' | 'log'> & {
    activities: Activities;
  },
  services: () => Services,
): FaultPlans | undefined {
  if (parts.settings.mode === 'live') return undefined;
  const giveBack = (terminalId: string, what: Taken) => giveBackTo(services(), terminalId, what);
  return createFaultPlans({ ...parts, giveBack });
}

/** @param services returns the services in which the gateway is, once they are made */
function gatewayOf(
  parts: Environment & { activities: Activities; faults: FaultPlans | undefined },
  services: () => Services,
): Gateway {
  const { settings, store, log, broker, activities, faults } = parts;
  const known = knownSecrets(settings);
  const onMessage = ({ direction, terminalId, name, actionId, body }: TransmittedMessage) => {
    activities.emit({
      kind: `message.${direction}`,
      terminalId,
      name,
      actionId,
      body: () => maskSecrets(body, { known }),
    });
  };
  return createGateway({
    connect: inSandbox(broker.connect, settings.sandbox ?? DEFAULT_SANDBOX),
    credentials: broker.credentials,
    log,
    ownsAction: actionOwners(store, activities),
    onMessage,
    onRefused: (refused) => activities.emit({ kind: 'message.refused', ...refused }),
    faults,
    pace: () => settings.pace ?? 'real',
    ...(!broker.isEmbedded && { lossDetectedMs: LOSS_DETECTED_MS }),
    keepFromBroker: broker.keepAway,
    cutNetwork: (terminalId) => takeFrom(services(), terminalId, 'messages'),
  });
}

function requestLogOf(
  { settings, store, clock, realClock, log, instanceId }: Environment,
  observers: Observers,
): RequestLog | undefined {
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
