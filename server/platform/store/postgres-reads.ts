/** Connections that are taken before reads share one. */
const LANES = 4;

/** Reads on a connection from which on another connection is taken. */
const READS_OF_LANE = 8;

/** A connection that reads share, from the first of them to the last answer. */
interface Lane<Client> {
  checkedOut: Promise<Client>;
  /** Once it is there. */
  client?: Client;
  /** Reads without an answer. */
  unanswered: number;
  failed: boolean;
}

interface Releasable {
  release(destroy: boolean): void;
}

interface ReadParts<Client> {
  checkOut(): Promise<Client>;
  /** Whether anyone waits for a connection. */
  isAwaited(): boolean;
}

/**
 * Sends reads that are no part of a transaction. Those that arrive before others have their answers share connections:
 * server and client then find several at a time, and answer them in one turn. With a connection for each, each waits for
 * the other process to wake up, which takes both three times the CPU time.
 */
export function createReads<Client extends Releasable>({ checkOut, isAwaited }: ReadParts<Client>) {
  let lanes: Lane<Client>[] = [];

  function open(): Lane<Client> {
    const lane: Lane<Client> = { checkedOut: checkOut(), unanswered: 0, failed: false };
    lanes.push(lane);
    return lane;
  }

  function freeLane(): Lane<Client> {
    // Reads that wait for a connection wait for one together.
    const coming = lanes.find(({ client, unanswered }) => !client && unanswered < READS_OF_LANE);
    if (coming && isAwaited()) return coming;
    if (lanes.length < LANES) return open();
    const shortest = lanes.reduce((one, other) => (other.unanswered < one.unanswered ? other : one));
    return shortest.unanswered < READS_OF_LANE || isAwaited() ? shortest : open();
  }

  /** Lets a lane take no more reads. Its connection is given back with the last answer. */
  function retire(lane: Lane<Client>): void {
    lanes = lanes.filter((other) => other !== lane);
  }

  function answered(lane: Lane<Client>): void {
    lane.unanswered -= 1;
    if (lane.unanswered > 0) return;
    retire(lane);
    lane.client?.release(lane.failed);
  }

  return async function read<T>(query: (client: Client) => Promise<T>): Promise<T> {
    const lane = freeLane();
    lane.unanswered += 1;
    // Reads without a pause would otherwise keep a connection for ever from those who wait for one.
    if (lane.client && isAwaited()) retire(lane);
    try {
      lane.client ??= await lane.checkedOut;
      return await query(lane.client);
    } catch (thrown) {
      lane.failed = true;
      retire(lane);
      throw thrown;
    } finally {
      answered(lane);
    }
  };
}
