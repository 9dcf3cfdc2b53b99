import type { Guard } from '../dashboard/session.ts';
import { plainRoute } from '../platform/http/pages/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import { unpackedSnapshot } from './packed-snapshot.ts';
import type { RecordedServices } from './recordings.ts';
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
export const recordingPageRoute = plainRoute({
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
    // The graph library is loaded at the first page.
    const { createLayOut } = await import('../dashboard/chart/layout.ts');
    const layOut = createLayOut({ clock: services.realClock, limitMs: LAYOUT_LIMIT_MS });
    const page = await renderTracePage({ ...trace, snapshot }, layOut, CHARACTERS_MAX);
    return {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        // A page of this origin would have its rights: it is saved, or read by the viewer.
        'content-disposition': `attachment; filename="${services.settings.sandbox ?? 'default'}-${id}.html"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
      body: page,
    };
  },
});
