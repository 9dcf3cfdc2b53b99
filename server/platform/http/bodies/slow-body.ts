import { Readable } from 'node:stream';
import { after, type Clock, type Timer } from '../../../../protocol/clock.ts';

const PIECES = 10;

/** Returns the headers and the body of a request whose body arrives in pieces, the last one after `bodyMs`. */
export function slowBody(
  body: string,
  headers: Record<string, string>,
  { clock, bodyMs }: { clock: Clock; bodyMs: number },
): { headers: Record<string, string>; body: Readable } {
  const bytes = Buffer.from(body);
  const pieces = Math.min(PIECES, bytes.length);
  let sent = 0;
  let timer: Timer | undefined;
  const stream = new Readable({
    read() {
      timer = after(clock, bodyMs / pieces, () => {
        const begin = Math.ceil((bytes.length * sent) / pieces);
        sent += 1;
        this.push(bytes.subarray(begin, Math.ceil((bytes.length * sent) / pieces)));
        if (sent === pieces) this.push(null);
      });
    },
    destroy(error, done) {
      timer?.cancel();
      done(error);
    },
  });
  return { headers: { ...headers, 'content-length': String(bytes.length) }, body: stream };
}
