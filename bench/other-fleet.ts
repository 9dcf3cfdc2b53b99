import { msSince } from './measure.ts';
import { startOtherServer, startOtherTerminals } from './other-shop.ts';

/**
 * Measures `tapbench sim` of another checkout at a server of its own.
 * @returns the milliseconds until `count` terminals are online, less those for one, in which its process starts
 */
export async function measureOtherFleet(checkout: string, dataDir: string, count: number): Promise<number> {
  const server = await startOtherServer(checkout, dataDir);
  const timeOf = async (terminals: number) => {
    const startNs = process.hrtime.bigint();
    const stop = await startOtherTerminals(checkout, server, terminals);
    const ms = msSince(startNs);
    await stop();
    return ms;
  };
  try {
    const startMs = await timeOf(1);
    return (await timeOf(count)) - startMs;
  } finally {
    await server.stop();
  }
}
