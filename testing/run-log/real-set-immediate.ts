// Real even when the global function was faked before this module was loaded.
import { setImmediate as real } from 'node:timers';
import { promisify } from 'node:util';

let open = 0;
let kept = real;
let last = real;

/**
 * Keeps `setImmediate` real until the returned function is called, even if a test fakes timers: broker and server
 * need it. Other faked timers stay faked; a fake of `setImmediate` takes effect when no world is open.
 */
export function keepRealSetImmediate(): () => void {
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
  Object.defineProperties(kept, marksOf(last));
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
  if (value !== real) Object.defineProperties(value, marksOf(kept));
  Object.defineProperty(globalThis, 'setImmediate', { ...SHOWN, writable: true, value });
}

const SHOWN = { configurable: true, enumerable: true };

/** Fake timer libraries mark the functions they replace, and look for the marks when they restore them. */
function marksOf(timer: typeof setImmediate): PropertyDescriptorMap {
  const {
    name: _name,
    length: _length,
    prototype: _prototype,
    ...marks
  } = Object.getOwnPropertyDescriptors(timer) as PropertyDescriptorMap;
  // Named properties only; a symbol holds the promisified timer.
  return Object.fromEntries(Object.entries(marks));
}
