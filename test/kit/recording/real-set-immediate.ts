// By this name it is real even where the global one was faked before this was loaded.
import { setImmediate as real } from 'node:timers';
import { promisify } from 'node:util';

let open = 0;
let kept = real;
let last = real;

/**
 * Keeps `setImmediate` real until the answered function is called, whoever fakes it meanwhile: broker and server
 * take their turns by it, and a world in which they stand still does not even begin. What a test fakes beside it
 * stays faked, and this too once no world is open any more.
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

/** Who fakes timers marks what he finds, and looks for his marks when he takes the fakes away again. */
function marksOf(timer: typeof setImmediate): PropertyDescriptorMap {
  const {
    name: _name,
    length: _length,
    prototype: _prototype,
    ...marks
  } = Object.getOwnPropertyDescriptors(timer) as PropertyDescriptorMap;
  // Those that are named; a symbol is how the timer is promised.
  return Object.fromEntries(Object.entries(marks));
}
