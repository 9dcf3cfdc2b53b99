import type { FrameParser, FrameTrace } from './frame-channel.ts';

// Longer than any frame: bytes that are still no frame by then are not shown.
const NOISE_BYTES_MAX = 70_000;

/**
 * Wraps a parser and traces the raw bytes of each frame, with the noise before it. It passes bytes to `parser` one by
 * one to know where a frame ends, since the mask needs whole frames.
 */
export function tracedParser<F>(parser: FrameParser<F>, trace: FrameTrace): FrameParser<F> {
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
