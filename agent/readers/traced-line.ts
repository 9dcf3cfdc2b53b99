import type { FrameParser, LineTrace } from './wire.ts';

// Longer than any frame: what is still none after this is shown to nobody.
const NOISE_BYTES_MAX = 70_000;

/**
 * A parser that shows the bytes of each frame as they came, with the noise before it. They are given to `parser` one
 * by one, so that it is known where a frame ends: a mask has to see frames whole.
 */
export function tracedParser<F>(parser: FrameParser<F>, trace: LineTrace): FrameParser<F> {
  let since: number[] = [];
  return {
    push(bytes) {
      const frames: F[] = [];
      for (let index = 0; index < bytes.length; index += 1) {
        since.push(bytes[index]!);
        const found = parser.push(bytes.subarray(index, index + 1));
        if (found.length === 0 && since.length < NOISE_BYTES_MAX) continue;
        if (found.length > 0) trace('in', Uint8Array.from(since));
        else trace('in', new Uint8Array(0), `${since.length} bytes that are no frame`);
        since = [];
        frames.push(...found);
      }
      return frames;
    },
  };
}
