import { authorisationCodeOf } from '../../server/bank/issuer/issuer.ts';
import { ID_FORMS } from '../../protocol/ids.ts';

/** Which ids and secrets of a replay stand for which of the recording, one for one. */
export interface Bindings {
  /** Returns what stands for an id or the placeholder of a secret; undefined for none so far. */
  replayedFor(recorded: string): string | undefined;
  recordedFor(replayed: string): string | undefined;
  /** Binds two. Returns false when one of them is bound to another. */
  bind(recorded: string, replayed: string): boolean;
  /** Calls `body`, and takes back what it bound when it returns something. */
  attempt<T>(body: () => T | undefined): T | undefined;
}

export function createBindings(): Bindings {
  const replayed = new Map<string, string>();
  const recorded = new Map<string, string>();
  let bound: [string, string][] = [];

  function bindOne(one: string, other: string): boolean {
    const known = replayed.get(one);
    if (known !== undefined) return known === other;
    if (recorded.has(other)) return false;
    replayed.set(one, other);
    recorded.set(other, one);
    bound.push([one, other]);
    return true;
  }

  return {
    replayedFor: (id) => replayed.get(id),
    recordedFor: (id) => recorded.get(id),
    bind(one, other) {
      if (!bindOne(one, other)) return false;
      // What is derived from the id of an action is bound with it.
      if (!one.startsWith(ID_FORMS.action.prefix) || one === other) return true;
      return bindOne(authorisationCodeOf(one), authorisationCodeOf(other));
    },
    attempt(body) {
      bound = [];
      const found = body();
      if (found === undefined) return undefined;
      for (const [one, other] of bound) {
        replayed.delete(one);
        recorded.delete(other);
      }
      return found;
    },
  };
}

/** Returns a copy of a JSON value with another text in place of each text, names of members included. */
export function mapTexts<T>(value: T, map: (text: string) => string): T;
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [map(name), mapTexts(inner, map)]));
}
