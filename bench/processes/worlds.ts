import { pathToFileURL } from 'node:url';
import type * as userWorld from '../../testing/world/user-world.ts';
import { startBareWorld, type End } from '../bare-world.ts';
import { timeEach } from '../measure.ts';
import { handleParentRequests } from './parent-requests.ts';

export interface WorldsRequest {
  count: number;
  /** Path of the built module that is published as `tapbench/world`; without it the baseline is measured. */
  module: string | undefined;
  /** Whether each world is a fork of one with a terminal and a payment, or starts and gets them; it has neither by default. */
  begin?: 'fork' | 'prepare' | undefined;
}

/** Starts one server and calls it once. Returns what closes it. */
type Start = (index: number) => Promise<End>;

let forks: Start | undefined;

handleParentRequests({
  /** Starts worlds one at a time. Returns the times from start to first response, milliseconds. */
  async measure({ count, module, begin }: WorldsRequest): Promise<number[]> {
    const times: number[] = [];
    if (module !== undefined && begin === 'fork') forks ??= await forksOf(module);
    const start =
      module === undefined ? startBareWorld : (forks ?? (await startOf(module, begin === 'prepare')));
    for (let index = 0; index < count; index += 1) {
      let end: End | undefined;
      times.push(...(await timeEach(1, async () => void (end = await start(index)))));
      await end?.();
    }
    return times;
  },
});

async function startOf(module: string, prepare: boolean): Promise<Start> {
  const { startWorld } = (await import(pathToFileURL(module).href)) as typeof userWorld;
  return async (index) => {
    const world = await startWorld({ seed: `bench ${index}` });
    if (prepare) await (await world.openTill()).takes(1742);
    const { status } = await world.api.get('/v1/customers');
    if (status !== 200) throw new Error(`the world responded ${status}`);
    return () => world.close();
  };
}

/** Prepares a world once for all rounds. */
async function forksOf(module: string): Promise<Start> {
  const { startWorld } = (await import(pathToFileURL(module).href)) as typeof userWorld;
  const prepared = await startWorld({ seed: 'bench' });
  const till = await prepared.openTill();
  await till.takes(1742);
  return async () => {
    const world = await prepared.fork();
    const { status } = await world.api.get('/v1/customers');
    if (status !== 200) throw new Error(`the world responded ${status}`);
    return () => world.close();
  };
}
