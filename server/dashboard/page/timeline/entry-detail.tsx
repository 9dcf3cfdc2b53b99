import type { TimelineEntry } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { formatTime } from '../format.ts';
import { hrefOf } from '../route.ts';
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

/** A hex dump of a frame: offset, bytes, text. */
function HexView({ bytes }: { bytes: string }) {
  return (
    <table class="hex" aria-label="Bytes">
      <tbody>
        {hexRows(bytes).map(({ offset, bytes: row, text }) => (
          <tr key={offset}>
            <th scope="row">{offset}</th>
            <td>{row.join(' ')}</td>
            <td aria-hidden="true">{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const BYTES_PER_ROW = 16;

interface HexRow {
  offset: string;
  bytes: string[];
  text: string;
}

/** Splits `5056··FF` into the rows of a hex dump. Masked bytes stay masked. */
export function hexRows(hex: string): HexRow[] {
  const bytes = hex.replace(/\s+/g, '').match(/../g) ?? [];
  return Array.from({ length: Math.ceil(bytes.length / BYTES_PER_ROW) }, (_, index) => {
    const row = bytes.slice(index * BYTES_PER_ROW, (index + 1) * BYTES_PER_ROW);
    return {
      offset: (index * BYTES_PER_ROW).toString(16).toUpperCase().padStart(4, '0'),
      bytes: row,
      text: row.map(characterOf).join(''),
    };
  });
}

function characterOf(byte: string): string {
  const code = Number.parseInt(byte, 16);
  if (Number.isNaN(code)) return '·';
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
}
