import type { ActionStep } from '../../agent/lifecycle/action-transition.ts';
import type { Server } from '../../server/app.ts';
import { terminals as storedTerminals } from '../../server/api/in-person/terminals/terminal.records.ts';
import {
  createFleet,
  type Fleet,
  type FleetActivity,
  type FleetMember,
  type FleetParts,
} from '../../simulator/fleet.ts';
import type { SimulatedTerminal } from '../../simulator/simulated-terminal.ts';
import { RECEIPT_PRINTER, twinOf } from '../../simulator/twins/twins.ts';
import { composeFleetParts } from '../../world/compose-world.ts';
import type { IdleDetector } from '../../world/idle-detector.ts';
import { successOf, type Api } from './api.ts';
import type { WorldPrinter } from './test-printer.ts';
import type { WorldBase } from './world-base.ts';
import type { TerminalOptions, WorldOptions } from './world-options.ts';

/** A step of a terminal's machine. */
export type Step = Extract<FleetActivity, { what: 'stepped' }>;

/** Dependencies for a terminal outside the fleet. */
export type TerminalParts = Pick<FleetParts, 'connect' | 'api' | 'random' | 'log' | 'clock'> & {
  /** To be called at each step of its machine. */
  stepped(terminalId: string, step: ActionStep): void;
};

/** The printer at which a terminal prints its receipts; one of its own by default. */
interface PrinterChoice {
  printer?: WorldPrinter;
}

export interface WorldMember extends FleetMember, PrinterChoice {}
export interface NewTerminal extends TerminalOptions, PrinterChoice {}

/** The terminals of a world. */
interface Terminals {
  fleet: Fleet;
  forTerminals: TerminalParts;
  /** Calls `watch` at each step of any terminal's machine, before its effects. */
  watchSteps(watch: (step: Step) => void): void;
  /** Registers a terminal at a new location and simulates it. */
  register(options: NewTerminal | undefined, idle: IdleDetector): Promise<SimulatedTerminal>;
  /** Adds the simulator of a terminal that is registered, and waits until it is online. */
  simulate(member: WorldMember, idle: IdleDetector): Promise<SimulatedTerminal>;
}

interface Environment {
  base: WorldBase;
  server(): Server;
  api: Api;
}

/** Creates the fleet of a world, without a terminal. */
export function createTerminals(options: WorldOptions, environment: Environment): Terminals {
  const { base, server, api } = environment;
  const { worldLog } = base;
  const watchers: ((step: Step) => void)[] = [];
  if (worldLog) watchers.push(({ terminalId, ...step }) => worldLog.step(terminalId, step));
  const forFleet = fleetPartsOf(options, environment, (step) => {
    for (const watch of watchers) watch(step);
  });
  const printers = new Map<string, WorldPrinter>();
  const fleet = createFleet({
    ...forFleet,
    createPrinter: (terminalId, trace) => printers.get(terminalId)?.connect(trace),
    onAct(terminalId, act) {
      worldLog?.addCall();
      forFleet.onAct?.(terminalId, act);
    },
  });
  let serials = 0;

  async function simulate(
    { printer, ...member }: WorldMember,
    idle: IdleDetector,
  ): Promise<SimulatedTerminal> {
    const { terminalId } = member;
    if (printer) printers.set(terminalId, printer);
    const row = await storedTerminals.findAny(server().services.store, terminalId);
    // A fork and a replay, which do not have that printer, have one like it.
    const beside = printer && RECEIPT_PRINTER.name;
    const twin = member.twin ?? (row && twinOf(row.serial_number)) ?? beside;
    await fleet.add({ ...member, ...(twin !== undefined && { twin }) });
    await idle.until('the terminal comes online', () => fleet.terminal(terminalId)?.online);
    await fleet.controlled();
    return fleet.terminal(terminalId)!;
  }

  return {
    fleet,
    forTerminals: {
      ...forFleet,
      connect: forFleet.connectTerminal,
      stepped: (terminalId, step) => forFleet.onActivity?.({ what: 'stepped', terminalId, ...step }),
    },
    watchSteps: (watch) => void watchers.push(watch),
    async register({ serialNumber, accountId, ...member } = {}, idle) {
      const family = member.twin === undefined ? 'SIM' : `SIM-${member.twin.toUpperCase()}`;
      const serial = serialNumber ?? `${family}-${1000 + serials++}`;
      const caller = accountId ? api.as(accountId) : api;
      const post = async (path: string, body: object) =>
        successOf(await caller.post(path, body), `POST ${path}`);
      const location = await post('/v1/in-person/locations', LOCATION);
      const { id } = await post('/v1/in-person/terminals', {
        serialNumber: serial,
        locationId: location.id,
      });
      return simulate({ terminalId: id, ...member }, idle);
    },
    simulate,
  };
}

function fleetPartsOf(
  options: WorldOptions,
  { base, server, api }: Environment,
  onStep: (step: Step) => void,
) {
  const { clock, parts } = base;
  const { random } = parts;
  return composeFleetParts(parts, {
    server,
    request: (method, path, body) => api.raw(method, path, body === undefined ? '' : JSON.stringify(body)),
    terminalConnector: (connect) => options.terminalConnector?.(connect, { clock, random }) ?? connect,
    journalFor: options.journalFor,
    cardholder: options.cardholder ?? { script: 'none' },
    readLatencyMs: options.pacedByDevices ? undefined : 0,
    onActivity(activity) {
      if (activity.what === 'stepped') onStep(activity);
    },
  });
}

const LOCATION = {
  name: 'Corner Shop',
  address: { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' },
};
