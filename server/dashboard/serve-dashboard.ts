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
import {
  createGuard,
  type Guard,
  createLinkCodes,
  type LinkCodes,
  createAttemptLimit,
  isSamePage,
  sessionRoute,
} from './session.ts';
import { createLive, type Live } from './live.ts';
import { createMachineCharts, type MachineCharts } from './machine-charts.ts';
import { pageRoutes, pageFile } from './page-files.ts';
import { createTimelineLog, type TimelineLog } from './timeline-log.ts';
import type { DashboardPorts } from './ports.ts';
import { createDrillPlays } from './drills/drill-plays.ts';
import { drillRoutes, type DrillParts } from './drills/drill-routes.ts';
import { CardsOffered } from '../../protocol/messages/sandbox.messages.ts';
import { setBounded } from '../platform/bounded-map.ts';
import type { OfferedCard, SandboxKeys } from './view.ts';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const PATH = '/dashboard/keys';

/** The route that returns the keys of a sandbox, which the page and `/docs` fill in. Live keys are never returned. */
export const sandboxKeysRoute = plainRoute({
  method: 'GET',
  path: PATH,
  async handle(request, { services, guard }: { services: Pick<Services, 'settings'>; guard: Guard }) {
    await guard(request);
    const { mode, secretKey, publicKey } = services.settings;
    if (mode === 'live') throw new Refusal('unknown_path', { path: PATH });
    return jsonResponse({ secretKey, publicKey } satisfies SandboxKeys);
  },
});

const { resolve } = createRequire(import.meta.url);

/** Routes of what the API reference shows operations with: files of swagger-ui-dist, read at their first request. */
const REFERENCE_FILE_ROUTES: readonly PlainRoute[] = [
  packageFile('swagger-ui-bundle.js', (content) => content),
  // Styles in a layer yield to those of the page, whatever their selectors.
  packageFile('swagger-ui.css', (content) => Buffer.from(`@layer swagger {\n${content.toString()}\n}\n`)),
];

function packageFile(name: string, change: (content: Buffer) => Buffer): PlainRoute {
  let content: Promise<Buffer> | undefined;
  return {
    method: 'GET',
    path: `/docs/${name}`,
    async handle() {
      content ??= readFile(resolve(`swagger-ui-dist/${name}`)).then(change);
      return pageFile(name, await content, 'no-cache');
    },
  };
}

// Far more simulators than connect at once.
const SIMULATORS_MAX = 100;

/** Stores the cards that simulators offer. @returns a function that lists them, each card once */
function watchOfferedCards({ gateway }: Pick<Services, 'gateway'>): () => OfferedCard[] {
  const offers = new Map<string, readonly OfferedCard[]>();
  gateway.onReport(CardsOffered, (simulatorId, { cards }) =>
    setBounded(offers, SIMULATORS_MAX, simulatorId, cards),
  );
  return () => [...new Map([...offers.values()].flat().map((card) => [card.name, card])).values()];
}

/** Path of the WebSocket that carries live changes to the page. */
export const LIVE_PATH = '/dashboard/live';

export interface Dashboard {
  live: Live;
  /** The timeline log, for other listeners. */
  timelineLog: TimelineLog;
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
 * Creates the dashboard of one server: its data, and the timeline log, which records from now on.
 * @param processName names this process among those that record for the same store
 */
export function createDashboard(services: Services, ports: DashboardPorts, processName: string): Dashboard {
  const guard = createGuard(services);
  const codes = createLinkCodes(services);
  const board = createFleetBoard(services, ports);
  const timelineLog = createTimelineLog(services, (terminalId) => board.machineOf(terminalId)?.machineId);
  const timelines = createActionTimelines(services, timelineLog, processName);
  const charts = createMachineCharts(services, board, ports);
  const offeredCards = watchOfferedCards(services);
  const live = createLive({ services, board, timelineLog, timelines, machineOf: charts.of });
  const { realClock: clock, log } = services;
  const drills = ports.loadDrills && createDrillPlays({ load: ports.loadDrills, clock, log });
  let endSockets = async () => {};
  const failedKeys = createAttemptLimit(services.realClock);

  return {
    live,
    timelineLog,
    timelines,
    parts: { services, ports, guard, codes, failedKeys, charts, offeredCards, timelineLog, drills },
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
      drills?.stop();
      await endSockets();
    },
  };
}

/** What the routes need of the server that received the request. */
interface DashboardParts extends DrillParts {
  services: Services;
  ports: DashboardPorts;
  codes: LinkCodes;
  failedKeys: ReturnType<typeof createAttemptLimit>;
  charts: MachineCharts;
  offeredCards: ReturnType<typeof watchOfferedCards>;
  timelineLog: TimelineLog;
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
  ...drillRoutes,
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
