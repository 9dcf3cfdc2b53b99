/** A message of an action on its way, without `actionId` and `seq` in its body. */
export interface Packet {
  name: string;
  /** Index of the action; null for an inquiry about none. */
  action: number | null;
  seq: number;
  /** JSON. */
  body: string;
}

/** The last numbers of one action: sent and seen by the server, and by the terminal while it has the action. */
export interface Numbers {
  sent: number;
  seen: number;
}

/** What is on its way in one direction: in order, and late messages that arrive at any time. */
export interface Way {
  queue: readonly Packet[];
  late: readonly Packet[];
}

// Numbers are compared only by order and by whether one follows another, so larger differences mean the same.
const LARGEST_GAP = 3;
/** Numbers above this mean "after all others" (SEQ_MAX) and stay as they are. */
const ORDINARY_MAX = 1_000_000;

/**
 * Returns the function that replaces sequence numbers by small ones in the same order, so that states which differ only
 * in how many messages came before are one state.
 */
export function renumbering(numbers: readonly number[]): (seq: number) => number {
  const known = [...new Set([0, ...numbers.filter((seq) => seq < ORDINARY_MAX)])].sort((a, b) => a - b);
  const renumbered = new Map<number, number>();
  let last = 0;
  for (const [index, seq] of known.entries()) {
    if (index > 0) last += Math.min(seq - known[index - 1]!, LARGEST_GAP);
    renumbered.set(seq, last);
  }
  return (seq) => renumbered.get(seq) ?? seq;
}

/** Returns the messages without the one at an index. */
export function without(packets: readonly Packet[], index: number): Packet[] {
  return packets.toSpliced(index, 1);
}

export function describePacket({ name, action, seq, body }: Packet): string {
  const content = body === '{}' ? '' : ` ${shortened(body)}`;
  return `${name}${action === null ? ' about no action' : ` ${action + 1}/${seq}`}${content}`;
}

function shortened(body: string): string {
  const { outcome, status, code, copy, failedCopies } = JSON.parse(body) as Record<string, unknown>;
  return [outcome, copy, status, code, Array.isArray(failedCopies) ? failedCopies.join('+') : undefined]
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' ');
}
