import { setTimeout as pause } from 'node:timers/promises';

export interface ConnectRequest {
  url: string;
  pairingSecret: string;
  count: number;
  /** How many dial at once. */
  dialling: number;
}

export interface ConnectResult {
  /** Time from the first connect until all are subscribed. */
  seconds: number;
  /** Resident memory of all of them. */
  bytes: number;
}

const SETTLE_MS = 300;

/** Connects all clients; `connect` resolves when one is subscribed. */
export async function connectAll(
  { count, dialling }: ConnectRequest,
  connect: (index: number) => Promise<void>,
): Promise<ConnectResult> {
  const bytesBefore = await residentBytes();
  let next = 0;
  const startNs = process.hrtime.bigint();
  const dial = async () => {
    while (next < count) await connect(next++);
  };
  await Promise.all(Array.from({ length: dialling }, dial));
  const seconds = Number(process.hrtime.bigint() - startNs) / 1e9;
  return { seconds, bytes: (await residentBytes()) - bytesBefore };
}

/** Collects garbage twice with a pause, so that finalizers and pending traffic are done. */
async function residentBytes(): Promise<number> {
  for (let times = 0; times < 2; times += 1) {
    await pause(SETTLE_MS);
    globalThis.gc!();
  }
  return process.memoryUsage.rss();
}
