/** Where a function was called: a stack, which V8 formats when it is read. */
export interface CallPlace {
  stack?: string;
}

// The frames of a world or of a client library come before those of the caller.
const FRAMES_MAX = 40;

/** Returns where a function was called. @param called the function; without it, what calls this one is in the stack too */
export function callPlace(called?: (...values: never[]) => unknown): CallPlace {
  const place: CallPlace = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES_MAX;
  Error.captureStackTrace(place, called);
  Error.stackTraceLimit = stackTraceLimit;
  return place;
}
