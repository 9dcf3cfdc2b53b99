import { Fault } from '../../../protocol/failures.ts';

/** How a firmware writes its results. Recorded readers differ in each of these. */
export interface ResultShape {
  /** `long`: bit 5 of the attribution byte is set, and DFEE26 at the beginning has a second byte. */
  attribution: 'short' | 'long';
  /** Where the tracks of a swipe are: `formatted` in DFEE23 alone, `both` in DFEE23 and DFEF4D. */
  tracks: 'formatted' | 'both';
  /** A failure of 02-40 and 60-1x: in DFEE02, as four bytes without a tag, or without data. */
  failure: 'object' | 'bytes' | 'empty';
  /** Objects of a contact result without a list of the host: all of the guide, or the few that recorded readers send. */
  objects: 'all' | 'few';
  /** Whether card numbers and tracks are encrypted. */
  encrypted: boolean;
}

export const DEFAULT_SHAPE: ResultShape = {
  attribution: 'short',
  tracks: 'both',
  failure: 'object',
  objects: 'all',
  encrypted: false,
};

/** What a person can switch while the twin runs, by the word that is typed. */
const SHAPE_CHANGES: Readonly<Record<string, Partial<ResultShape>>> = {
  'short-attribution': { attribution: 'short' },
  'long-attribution': { attribution: 'long' },
  'formatted-tracks': { tracks: 'formatted' },
  'both-tracks': { tracks: 'both' },
  'failure-object': { failure: 'object' },
  'failure-bytes': { failure: 'bytes' },
  'failure-empty': { failure: 'empty' },
  'all-objects': { objects: 'all' },
  'few-objects': { objects: 'few' },
  clear: { encrypted: false },
  encrypted: { encrypted: true },
};

/** Returns the shape with the change of this name. @throws Fault `bad_setting`, listing the names. */
export function changedShape(shape: ResultShape, name: string | undefined): ResultShape {
  const change = name !== undefined && Object.hasOwn(SHAPE_CHANGES, name) ? SHAPE_CHANGES[name] : undefined;
  if (!change) {
    throw new Fault('bad_setting', `results takes one of: ${Object.keys(SHAPE_CHANGES).join(', ')}`);
  }
  return { ...shape, ...change };
}
