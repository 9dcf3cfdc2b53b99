import { promisify } from 'node:util';

const real = globalThis.setImmediate;

let open = 0;
let kept = real;
let last = real;

/**
 * Keeps `setImmediate` real until the answered function is called, whoever fakes it meanwhile: broker and server
 * take their turns by it, and a world in which they stand still does not even begin. What a test fakes beside it
 * stays faked, and this too once no world is open any more.
 */
export function keepImmediates(): () => void {
  if (open++ === 0) keep();
  let released = false;
  return () => {
    if (released) return;
    released = true;
    if (--open === 0) release();
  };
}

function keep(): void {
  last = globalThis.setImmediate;
  const stand: object = (...given: Parameters<typeof setImmediate>) => real(...given);
  kept = Object.assign(stand, {
    [promisify.custom]: real[promisify.custom as never],
  }) as unknown as typeof setImmediate;
  Object.defineProperty(globalThis, 'setImmediate', {
    ...SHOWN,
    get: () => kept,
    set(to: typeof setImmediate) {
      last = to;
    },
  });
}

function release(): void {
  const value = last === kept ? real : last;
  // Who fakes timers marks what he finds here, and looks for his marks when he takes the fakes away again.
  if (value !== real) {
    const {
      name: _name,
      length: _length,
      prototype: _prototype,
      ...marks
    } = Object.getOwnPropertyDescriptors(kept) as PropertyDescriptorMap;
    Object.defineProperties(value, marks);
  }
  Object.defineProperty(globalThis, 'setImmediate', { ...SHOWN, writable: true, value });
}

const SHOWN = { configurable: true, enumerable: true };
