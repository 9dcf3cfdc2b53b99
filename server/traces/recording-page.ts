import type { LayOut } from '../dashboard/chart/chart.ts';
import type { Guard } from '../dashboard/session.ts';
import type { Clock } from '../../protocol/clock.ts';
import { messageOf, Fault } from '../../protocol/failures.ts';
import { parseBody } from '../platform/http/bodies/json-body.ts';
import { jsonResponse, plainRoute, type PlainResponse } from '../platform/http/pages/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import { unpackedSnapshot } from './packed-snapshot.ts';
import type { RecordedServices } from './recordings.ts';
import { readTrace } from './trace-file.ts';
import type { Trace } from './trace-format.schema.ts';
import { renderTracePage, SHOWN_TABLES } from './trace-page.ts';

/** Characters of JSON that a page has of the items of its recording, and of the rows with which it began. */
const CHARACTERS_MAX = 8_000_000;

/** Longest that the layout of one machine may take: terminals describe theirs. */
const LAYOUT_LIMIT_MS = 10_000;

/** What the route needs of the server that received the request. */
interface RecordingPageParts extends Pick<RecordedServices, 'recordings'> {
  services: Pick<Services, 'realClock' | 'settings'>;
  guard: Guard;
}

/** The route that returns what a recording has so far as one HTML page, which shows it without a server. The recording goes on. */
const recordingRoute = plainRoute({
  method: 'GET',
  path: '/dashboard/recordings/{id}',
  async handle(request, { services, recordings, guard }: RecordingPageParts) {
    await guard(request);
    const { id } = request.params;
    if (!recordings?.find(id)) throw new Refusal('not_found', { what: 'recording' });
    const trace = await recordings.trace(id);
    const snapshot = await unpackedSnapshot(trace.snapshot, {
      tables: SHOWN_TABLES,
      characters: CHARACTERS_MAX,
    });
    const page = await pageOf({ ...trace, snapshot }, services);
    return savedPage(`${services.settings.sandbox ?? 'default'}-${id}`, page);
  },
});

/** Returns the response with a page to save. A page of this origin would have its rights: it is saved, or read by the viewer. */
export function savedPage(name: string, page: string): PlainResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.html"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { headers, body: page };
}

/** The route that returns the page of a trace file, which it is sent as base64: one of a failed test, of a hunt, or of a colleague. */
const traceRoute = plainRoute({
  method: 'POST',
  path: '/dashboard/traces',
  async handle(request, { services, guard }: RecordingPageParts) {
    await guard(request);
    const { file }: { file?: unknown } = parseBody(request.body) ?? {};
    if (typeof file !== 'string')
      throw new Refusal('invalid_field', { field: 'file', problem: 'is required' });
    const trace = await readFile(Buffer.from(file, 'base64'));
    return jsonResponse({ page: await pageOf(trace, services) });
  },
});

/** @throws Refusal `invalid_field` for a file that is no trace, or is damaged */
async function readFile(file: Buffer): Promise<Trace> {
  try {
    return await readTrace(file);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    throw new Refusal('invalid_field', { field: 'file', problem: `cannot be shown: ${messageOf(thrown)}` });
  }
}

/** Returns the page of a trace, with its first items where it is long. */
export async function pageOf(trace: Trace, { realClock }: Pick<Services, 'realClock'>): Promise<string> {
  return renderTracePage(trace, await loadLayOut(realClock), CHARACTERS_MAX);
}

/** Loads the graph library, at the first page, and returns what lays out charts. */
export async function loadLayOut(clock: Clock): Promise<LayOut> {
  const { createLayOut } = await import('../dashboard/chart/layout.ts');
  return createLayOut({ clock, limitMs: LAYOUT_LIMIT_MS });
}

/** The routes of the viewer of recordings. */
export const recordingPageRoutes = [recordingRoute, traceRoute];
