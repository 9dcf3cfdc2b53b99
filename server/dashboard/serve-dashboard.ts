import type { Server as HttpServer } from 'node:http';
import type { ParamNames } from '../platform/http/path-params.ts';
import {
  jsonResponse,
  plainRoute,
  type PlainRequest,
  type PlainRoute,
} from '../platform/http/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { serveTextSockets } from '../platform/http/text-socket.ts';
import { parseJson } from '../platform/store/json-text.ts';
import type { Services } from '../platform/services.ts';
import { createFleetBoard } from './fleet-board.ts';
import { createGuard, type Guard } from './guard.ts';
import { createLinkCodes } from './link-codes.ts';
import { createLive, type Live } from './live.ts';
import { createMachineCharts } from './machine-charts.ts';
import { watchOfferedCards } from './offered-cards.ts';
import { pageRoutes } from './page-files.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { isSamePage, sessionRoute } from './session.ts';
import { webhookRoutes } from './webhooks.ts';
import type { DashboardPorts } from './ports.ts';

/** Path of the WebSocket that carries live changes to the page. */
const LIVE_PATH = '/dashboard/live';

export interface Dashboard {
  routes: PlainRoute[];
  live: Live;
  /** The recorder, for other listeners. */
  recorder: Recorder;
  /** Closes the connections of the open pages; the pages reconnect. */
  stop(): Promise<void>;
}

/** Creates the dashboard: the routes of its page and data, and the recorder, which records from now on. */
export function createDashboard(services: Services, http: HttpServer, ports: DashboardPorts): Dashboard {
  const guard = createGuard(services);
  const codes = createLinkCodes(services);
  const board = createFleetBoard(services, ports);
  const recorder = createRecorder(services, (terminalId) => board.machineOf(terminalId)?.machineId);
  const charts = createMachineCharts(services, board, ports);
  const offeredCards = watchOfferedCards(services);
  const live = createLive({ services, board, recorder, machineOf: charts.of });
  const endSockets = serveTextSockets(http, {
    path: LIVE_PATH,
    clock: services.realClock,
    admits: (headers) => isSamePage((name) => headers[name]?.toString(), services.settings.publicUrl),
    accepted: live.accept,
  });
  const guarded = <const Path extends string>(
    path: Path,
    answer: (request: PlainRequest<ParamNames<Path>>) => Promise<unknown>,
  ) => guardedRoute(guard, path, answer);

  return {
    live,
    recorder,
    routes: [
      ...pageRoutes(),
      sessionRoute({ services, codes }),
      {
        ...guarded('/dashboard/codes', async () => ({ code: codes.issue() })),
        method: 'POST',
      },
      guarded('/dashboard/machines', async () => ({ machines: await charts.all() })),
      guarded('/dashboard/machines/{machineId}', ({ params }) => charts.named(params.machineId)),
      guarded('/dashboard/cards', async () => ({ cards: offeredCards() })),
      receiptRoute(ports, guard),
      ...webhookRoutes(services, ports, recorder, guard),
    ],
    async stop() {
      live.stop();
      await endSockets();
    },
  };
}

function guardedRoute<const Path extends string>(
  guard: Guard,
  path: Path,
  answer: (request: PlainRequest<ParamNames<Path>>) => Promise<unknown>,
): PlainRoute {
  return plainRoute({
    method: 'GET',
    path,
    async handle(request) {
      await guard(request);
      return jsonResponse(await answer(request));
    },
  });
}

/** The receipt of an action, in live mode too, where `/sandbox` is not served. */
function receiptRoute({ findReceipt }: Pick<DashboardPorts, 'findReceipt'>, guard: Guard): PlainRoute {
  return plainRoute({
    method: 'GET',
    path: '/dashboard/receipts/{actionId}',
    async handle(request) {
      const caller = await guard(request);
      const receipt = await findReceipt(caller, request.params.actionId);
      if (receipt === null) throw new Refusal('no_receipt');
      return jsonResponse(parseJson(receipt));
    },
  });
}
