/** Adds a trace so that a test that fails does not print each of its bytes. */
export function withTrace<T extends object>(found: T, trace: Buffer): T & { trace: Buffer } {
  return Object.defineProperty(found, 'trace', { value: trace, enumerable: false }) as T & { trace: Buffer };
}
