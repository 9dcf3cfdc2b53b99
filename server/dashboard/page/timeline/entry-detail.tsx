import type { TimelineEntry } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatTime } from '../format.ts';
import { hrefOf } from '../route.ts';
import { HexView } from './hex-view.tsx';
import { JsonView } from '../parts/sent-content.tsx';

/** The content of an entry, masked as the server sent it. */
export function EntryDetail({ entry, id }: { entry: TimelineEntry; id: string }) {
  const { isStatic } = useDashboard();
  const { bytes, detail, atMs, kind, objectId, actionId, fault } = entry;
  return (
    <div class="entry-detail" id={id}>
      <p class="entry-facts">
        {kind} · {formatTime(atMs)} UTC
        {(objectId ?? actionId) && (
          <>
            {' '}
            · <span class="mono">{objectId ?? actionId}</span>
          </>
        )}
      </p>
      {fault && !isStatic && (
        <p>
          A fault of <a href={hrefOf({ view: 'faults', id: fault.planId })}>{fault.planId}</a> struck.
        </p>
      )}
      {bytes !== undefined && <HexView bytes={bytes} />}
      {detail !== null && detail !== undefined && <JsonView value={detail} />}
    </div>
  );
}
