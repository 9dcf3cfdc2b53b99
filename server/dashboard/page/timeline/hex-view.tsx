import { hexRows } from './hex-rows.ts';

/** A hex dump of a frame: offset, bytes, text. */
export function HexView({ bytes }: { bytes: string }) {
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
