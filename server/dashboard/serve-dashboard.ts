import type { Server as HttpServer } from 'node:http';
import type { ParamNames } from '../platform/http/path-params.ts';
import {
  jsonResponse,
  plainRoute,
  type PlainRequest,
  type PlainRoute,
} from '../platform/http/pages/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { serveTextSockets } from '../platform/http/sockets/text-socket.ts';
import { parseJson } from '../platform/store/json-text.ts';
import type { Services } from '../platform/services.ts';
import { createFleetBoard } from './fleet-board.ts';
import { createActionTimelines, type ActionTimelines } from './history/action-timelines.ts';
import { pastActionRoutes } from './history/past-actions.ts';
import { createGuard, type Guard } from './guard.ts';
import { createLinkCodes, type LinkCodes } from './link-codes.ts';
import { createLive, type Live } from './live.ts';
import { createMachineCharts, type MachineCharts } from './machine-charts.ts';
import { watchOfferedCards } from './offered-cards.ts';
import { pageRoutes } from './page-files.ts';
import { REFERENCE_FILE_ROUTES } from './reference-files.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { createAttemptLimit, isSamePage, sessionRoute } from './session.ts';
import { sandboxKeysRoute } from './sandbox-keys.ts';
import type { DashboardPorts } from './ports.ts';

/** Path of the WebSocket that carries live changes to the page. */
export const LIVE_PATH = '/dashboard/live';

export interface Dashboard {
  live: Live;
  /** The recorder, for other listeners. */
  recorder: Recorder;
  /** Stores the timelines of actions. */
  timelines: ActionTimelines;
  /** What `DASHBOARD_ROUTES` need of this server. */
  parts: DashboardParts;
  /** Serves the connections of open pages, at a path of an HTTP server that begins with `prefix`. */
  serveLive(http: HttpServer, prefix?: string): void;
  /** Closes the connections of the open pages; the pages reconnect. */
  stop(): Promise<void>;
}

/**
 * Creates the dashboard of one server: its data, and the recorder, which records from now on.
 * @param recording names this process among those that record for the same store
 */
export function createDashboard(services: Services, ports: DashboardPorts, recording: string): Dashboard {
  const guard = createGuard(services);
  const codes = createLinkCodes(services);
  const board = createFleetBoard(services, ports);
  const recorder = createRecorder(services, (terminalId) => board.machineOf(terminalId)?.machineId);
  const timelines = createActionTimelines(services, recorder, recording);
  const charts = createMachineCharts(services, board, ports);
  const offeredCards = watchOfferedCards(services);
  const live = createLive({ services, board, recorder, timelines, machineOf: charts.of });
  let endSockets = async () => {};
  const failedKeys = createAttemptLimit(services.realClock);

  return {
    live,
    recorder,
    timelines,
    parts: { services, ports, guard, codes, failedKeys, charts, offeredCards, recorder },
    serveLive(http, prefix = '') {
      endSockets = serveTextSockets(http, {
        path: prefix + LIVE_PATH,
        clock: services.realClock,
        admits: (headers) => isSamePage((name) => headers[name]?.toString(), services.settings.publicUrl),
        accepted: live.accept,
      });
    },
    async stop() {
      live.stop();
      await endSockets();
    },
  };
}

/** What the routes need of the server that received the request. */
interface DashboardParts {
  services: Services;
  ports: DashboardPorts;
  guard: Guard;
  codes: LinkCodes;
  failedKeys: ReturnType<typeof createAttemptLimit>;
  charts: MachineCharts;
  offeredCards: ReturnType<typeof watchOfferedCards>;
  recorder: Recorder;
}

/** The routes of the page and its data. */
export const DASHBOARD_ROUTES: readonly PlainRoute<DashboardParts>[] = [
  ...pageRoutes(),
  ...REFERENCE_FILE_ROUTES,
  sessionRoute,
  {
    ...guarded('/dashboard/codes', async (_request, { codes }) => ({ code: codes.issue() })),
    method: 'POST',
  },
  guarded('/dashboard/machines', async (_request, { charts }) => ({ machines: await charts.all() })),
  guarded('/dashboard/machines/{machineId}', ({ params }, { charts }) => charts.named(params.machineId)),
  guarded('/dashboard/cards', async (_request, { offeredCards }) => ({ cards: offeredCards() })),
  guarded('/dashboard/fault-names', async (_request, { ports }) => ports.faultNames()),
  plainRoute({
    // The receipt of an action, in live mode too, where `/sandbox` is not served.
    method: 'GET',
    path: '/dashboard/receipts/{actionId}',
    async handle(request, { ports, guard }: DashboardParts) {
      const caller = await guard(request);
      const receipt = await ports.findReceipt(caller, request.params.actionId);
      if (receipt === null) throw new Refusal('no_receipt');
      return jsonResponse(parseJson(receipt));
    },
  }),
  sandboxKeysRoute,
  ...pastActionRoutes,
];

function guarded<const Path extends string>(
  path: Path,
  answer: (request: PlainRequest<ParamNames<Path>>, parts: DashboardParts) => Promise<unknown>,
): PlainRoute<DashboardParts> {
  return plainRoute({
    method: 'GET',
    path,
    async handle(request, parts: DashboardParts) {
      await parts.guard(request);
      return jsonResponse(await answer(request, parts));
    },
  });
}
