import { setTimeout as pause } from 'node:timers/promises';

export interface ConnectRequest {
  url: string;
  pairingSecret: string;
  count: number;
  /** How many dial at once. */
  dialling: number;
}

export interface ConnectResult {
  /** From the first that dials to the last that is connected and subscribed. */
  seconds: number;
  /** What all of them take, of resident memory. */
  bytes: number;
}

const SETTLE_MS = 300;

/** Connects all; `connect` resolves when one is connected and subscribed. */
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

/** Twice with a pause, so that what finalisers let go of, and what is still being said, is over. */
async function residentBytes(): Promise<number> {
  for (let times = 0; times < 2; times += 1) {
    await pause(SETTLE_MS);
    globalThis.gc!();
  }
  return process.memoryUsage.rss();
}
