import { ID_FORMS, type IdKind } from '../../protocol/ids.ts';
import { after } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import type { ChartLayout, LayOut } from './chart/chart.ts';
import type { FleetBoard } from './fleet-board.ts';
import type { MachineShape, WatchTarget } from './view.ts';
import type { DashboardPorts } from './ports.ts';
import { keysOf } from '../../protocol/tables.ts';

/** A machine with its drawing's geometry, at `/dashboard/machines`. */
export interface LaidOutMachine {
  shape: MachineShape;
  layout: ChartLayout;
}

export interface MachineCharts {
  /** The server's own machines and those that terminals have described. */
  all(): Promise<LaidOutMachine[]>;
  /** @throws Refusal `not_found` */
  named(machineId: string): Promise<LaidOutMachine>;
  /** The machine of a target: the terminal's for a terminal or action, the server's for an object. */
  of(target: WatchTarget): Promise<MachineShape | null>;
}

const MACHINE_OF: Partial<Record<IdKind, string>> = {
  paymentSession: 'paymentSession',
  subscription: 'subscription',
  dispute: 'dispute',
  payout: 'payout',
  account: 'verification',
  person: 'verification',
};

/** Longest that a list of charts waits for a terminal's; the page requests a late one by name. */
const LIST_WAIT_MS = 1_000;

/**
 * Longest that the layout of a described machine may take: some hundred times as long as for our own, since a busy
 * machine can be slow.
 */
const DESCRIBED_LIMIT_MS = 30_000;

// Loaded when a page requests a chart: a server starts without the graph library.
const charts = () => import('./chart/layout.ts');

const laidOut = async (shape: MachineShape): Promise<LaidOutMachine> => ({
  shape,
  layout: await (await charts()).layOut(shape),
});

/**
 * Lays out the machines that terminals describe, one at a time and each once. They are untrusted, so they are laid
 * out on a separate thread, and charts of the server never wait for them. Resolves to undefined for a machine that
 * cannot be laid out.
 */
function createDescribedCharts({ log, realClock }: Pick<Services, 'log' | 'realClock'>) {
  const finished = new WeakMap<MachineShape, LaidOutMachine | undefined>();
  let layOutDescribed: LayOut | undefined;
  let drawing: Promise<unknown> = Promise.resolve();

  async function draw(shape: MachineShape): Promise<LaidOutMachine | undefined> {
    if (finished.has(shape)) return finished.get(shape);
    let drawn: LaidOutMachine | undefined;
    try {
      layOutDescribed ??= (await charts()).createLayOut({ clock: realClock, limitMs: DESCRIBED_LIMIT_MS });
      drawn = { shape, layout: await layOutDescribed(shape) };
    } catch (error) {
      log.warn({ machineId: shape.machineId, reason: messageOf(error) }, 'a machine cannot be drawn');
    }
    finished.set(shape, drawn);
    return drawn;
  }

  return (shape: MachineShape): Promise<LaidOutMachine | undefined> => {
    if (finished.has(shape)) return Promise.resolve(finished.get(shape));
    const drawn = drawing.then(() => draw(shape));
    drawing = drawn;
    return drawn;
  };
}

export function createMachineCharts(
  services: Services,
  board: FleetBoard,
  { machines, findTerminalOf }: Pick<DashboardPorts, 'machines' | 'findTerminalOf'>,
): MachineCharts {
  const { realClock } = services;
  const described = createDescribedCharts(services);
  return {
    async all() {
      const own = await Promise.all(machines.map(laidOut));
      let stopWaiting = () => {};
      const late = new Promise<undefined>((resolve) => (stopWaiting = () => resolve(undefined)));
      const timer = after(realClock, LIST_WAIT_MS, stopWaiting);
      const drawn = await Promise.all(
        board.machines().map((shape) => Promise.race([described(shape), late])),
      );
      timer.cancel();
      return [...own, ...drawn.filter((machine) => machine !== undefined)];
    },
    async named(machineId) {
      const own = machines.find((shape) => shape.machineId === machineId);
      if (own) return laidOut(own);
      const shape = board.machines().findLast((one) => one.machineId === machineId);
      const found = shape && (await described(shape));
      if (!found) throw new Refusal('not_found', { what: 'machine' });
      return found;
    },
    async of({ kind, id }) {
      if (kind === 'terminal') return board.machineOf(id);
      if (kind === 'action') {
        const terminalId = await findTerminalOf(id);
        return terminalId === undefined ? null : board.machineOf(terminalId);
      }
      const kinds = keysOf(MACHINE_OF);
      const known = kinds.find((one) => id.startsWith(ID_FORMS[one].prefix));
      const machineId = known && MACHINE_OF[known];
      return machines.find((shape) => shape.machineId === machineId) ?? null;
    },
  };
}
