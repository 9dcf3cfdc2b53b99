import type { GuardName } from '../../../server/platform/store/guards.ts';
import type { Contender, Rows } from './interleavings.ts';

/** Two requests that race each other. */
export interface RequestPair<Name extends string = string> {
  requests: readonly [Name, Name];
  /** Whether the pair is tried without its guard too; then some order of the statements ends otherwise. */
  guardOut?: boolean;
  /** What the first may be refused with when the second ended what it is about meanwhile. */
  refusal?: string;
  /** What one of the two may be refused with because the other is under way. */
  conflict?: string;
}

type Pairs<Name extends string> = Partial<Record<GuardName, readonly RequestPair<Name>[]>>;

/** Pairs of requests of one area, which touch rules of the table of guards. */
interface RequestRaces<P> {
  /** Opens a server on a database, for one pair. */
  open(
    url: string,
    requests: readonly [string, string],
  ): Promise<Rows & { contenders: [Contender, Contender] }>;
  pairs: P;
}

export function racesOf<S extends Rows, Name extends string, const P extends Pairs<Name>>(area: {
  open(url: string): Promise<S>;
  requests: Record<Name, (server: S) => Contender>;
  pairs: P;
}): RequestRaces<P> {
  return {
    async open(url, [one, other]) {
      const server = await area.open(url);
      const contender = (name: string) => area.requests[name as Name](server);
      return { prepare: server.prepare, state: server.state, contenders: [contender(one), contender(other)] };
    },
    pairs: area.pairs,
  };
}
