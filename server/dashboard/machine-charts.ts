import { ID_FORMS, type IdKind } from '../../protocol/ids.ts';
import { after } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import { Refusal } from '../http/refusals.ts';
import { findAction } from '../in-person/action.records.ts';
import type { Services } from '../services.ts';
import type { ChartLayout } from './chart/chart.ts';
import type { FleetBoard } from './fleet-board.ts';
import { SERVER_MACHINES } from './machines.ts';
import type { MachineShape, Subject } from './view.ts';

/** A machine with its drawing's geometry, at `/dashboard/machines`. */
export interface LaidOutMachine {
  shape: MachineShape;
  layout: ChartLayout;
}

export interface MachineCharts {
  /** The server's own and those that terminals have described. */
  all(): Promise<LaidOutMachine[]>;
  /** @throws Refusal `not_found` */
  named(machineId: string): Promise<LaidOutMachine>;
  /** The machine of what a page looks at: of an action its terminal's, of an object the server's. */
  of(subject: Subject): Promise<MachineShape | null>;
}

const MACHINE_OF: Partial<Record<IdKind, string>> = {
  paymentSession: 'paymentSession',
  subscription: 'subscription',
  dispute: 'dispute',
  payout: 'payout',
  account: 'verification',
  person: 'verification',
};

/** Longest that a list of charts waits for one of a terminal; the page asks for it by its name later. */
const LIST_WAIT_MS = 1_000;

export function createMachineCharts({ store, log, realClock }: Services, board: FleetBoard): MachineCharts {
  const laidOut = async (shape: MachineShape): Promise<LaidOutMachine> => ({
    shape,
    // The graph library is loaded when somebody looks: a server starts without it.
    layout: await (await import('./chart/layout.ts')).layOut(shape),
  });
  // Tried once: each time that a page asks it would take as long again.
  const undrawable = new WeakSet<MachineShape>();
  /** What a terminal says of its machine may be anything. */
  const draw = async (shape: MachineShape): Promise<LaidOutMachine | undefined> => {
    if (undrawable.has(shape)) return undefined;
    try {
      return await laidOut(shape);
    } catch (error) {
      undrawable.add(shape);
      log.warn({ machineId: shape.machineId, reason: messageOf(error) }, 'a machine cannot be drawn');
      return undefined;
    }
  };
  // One after the other, so that the server's own charts wait for one of them at most.
  let drawing: Promise<unknown> = Promise.resolve();
  const described = (shape: MachineShape): Promise<LaidOutMachine | undefined> => {
    const drawn = drawing.then(() => draw(shape));
    drawing = drawn;
    return drawn;
  };
  return {
    async all() {
      const own = await Promise.all(SERVER_MACHINES.map(laidOut));
      let stopWaiting = () => {};
      const late = new Promise<undefined>((resolve) => (stopWaiting = () => resolve(undefined)));
      const timer = after(realClock, LIST_WAIT_MS, stopWaiting);
      const told = await Promise.all(board.machines().map((shape) => Promise.race([described(shape), late])));
      timer.cancel();
      return [...own, ...told.filter((machine) => machine !== undefined)];
    },
    async named(machineId) {
      const own = SERVER_MACHINES.find((shape) => shape.machineId === machineId);
      if (own) return laidOut(own);
      const shape = board.machines().findLast((told) => told.machineId === machineId);
      const found = shape && (await described(shape));
      if (!found) throw new Refusal('not_found', { what: 'machine' });
      return found;
    },
    async of({ kind, id }) {
      if (kind === 'terminal') return board.machineOf(id);
      if (kind === 'action') {
        const action = await findAction(store, id);
        return action ? board.machineOf(action.terminal_id) : null;
      }
      const kinds = Object.keys(MACHINE_OF) as IdKind[];
      const known = kinds.find((one) => id.startsWith(ID_FORMS[one].prefix));
      const machineId = known && MACHINE_OF[known];
      return SERVER_MACHINES.find((shape) => shape.machineId === machineId) ?? null;
    },
  };
}
