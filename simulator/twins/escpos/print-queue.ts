import type { Mechanism } from './instruction.ts';
import type { Token } from './parser.ts';

/** What waits while the printer is offline. What comes beyond it is lost. */
export const QUEUE_BYTES_MAX = 4 * 1_048_576;

/** Something to print, and what the connection that it came over does for it. */
interface Queued {
  token: Token;
  mechanism: Mechanism;
}

/** What waits to be printed, in its order. */
export class PrintQueue {
  #entries: Queued[] = [];
  #bytes = 0;
  #isRunning = false;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Adds something. Returns false when there is no room for it. */
  add(entry: Queued): boolean {
    const bytes = sizeOf(entry.token);
    if (this.#bytes + bytes > QUEUE_BYTES_MAX) return false;
    this.#bytes += bytes;
    this.#entries.push(entry);
    return true;
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  /**
   * Carries out what waits for as long as the printer prints. What carries it out returns the text that is left where a
   * line was full.
   */
  run(prints: () => boolean, carryOut: (entry: Queued) => Token | undefined): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const entries = this.#entries;
    let done = 0;
    // Cleared by what is carried out, the list is another one.
    while (this.#entries === entries && done < entries.length && prints()) {
      const entry = entries[done]!;
      const left = carryOut(entry);
      if (left) entries[done] = { ...entry, token: left };
      else done += 1;
    }
    if (this.#entries === entries) {
      this.#entries = entries.slice(done);
      this.#bytes = this.#entries.reduce((sum, { token }) => sum + sizeOf(token), 0);
    }
    this.#isRunning = false;
  }
}

function sizeOf(token: Token): number {
  // Each takes memory besides its bytes.
  if (token.kind === 'text') return 64 + token.bytes.length;
  return token.kind === 'instruction' ? 64 + token.parameters.length : 64;
}
