import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import { withTimeout } from '../../../protocol/with-timeout.ts';
import { CODE, STATE, type Handle, type PcscInterface } from './pcsc-interface.ts';
import { errorOf } from './return-codes.ts';

/** How the driver reaches a reader of the smart card service. */
export interface PcscPort {
  /** Name of the reader, or a part that no other reader's name has; empty for the only reader. */
  reader: string;
  /** Loads the library. @throws Fault `reader` when there is none. */
  load(): Promise<PcscInterface>;
}

/** Start of the addresses of readers of the smart card service. */
export const PCSC_PREFIX = 'pcsc:';

/** A reader of the smart card service. Cards and waits have a context each, since one context serves one thread. */
export interface PcscSession {
  pcsc: PcscInterface;
  cards: Handle;
  waits: Handle;
  reader: string;
}

/** Opens a session with a reader when it is needed, and again after it was lost. */
export interface PcscSessions {
  /** @throws Fault `reader` with advice when there is no library, service or reader, or several readers fit. */
  open(): Promise<PcscSession>;
  /** Ends the session; the next `open` begins another. One that a command holds is left behind after 5 s. */
  drop(): Promise<void>;
}

export function createPcscSessions({ load, reader }: PcscPort, clock: Clock): PcscSessions {
  let current: Promise<PcscSession> | undefined;
  const begin = async () => openSession(await load(), reader);
  return {
    async open() {
      const opened = (current ??= begin());
      try {
        return await opened;
      } catch (error) {
        if (current === opened) current = undefined;
        throw error;
      }
    },
    async drop() {
      const ended = current;
      current = undefined;
      if (!ended) return;
      const release = ({ pcsc, waits, cards }: PcscSession) => releaseContexts(pcsc, [waits, cards]);
      await isFreed(clock, ended.then(release));
    },
  };
}

/** A command that the service never ends holds its context, and what frees its card or the context waits for it. */
const FREE_LIMIT_MS = 5_000;

/** Waits for at most 5 s until something of the service is given back. Returns whether it is. */
export async function isFreed(clock: Clock, freeing: Promise<unknown>): Promise<boolean> {
  const freed = freeing.then(
    () => true,
    () => true,
  );
  return withTimeout(clock, FREE_LIMIT_MS, freed, 'not given back').catch(() => false);
}

async function openSession(pcsc: PcscInterface, wanted: string): Promise<PcscSession> {
  const contexts: Handle[] = [];
  try {
    for (let count = 0; count < 2; count += 1) {
      const { code, context } = await pcsc.establishContext();
      if (code !== CODE.ok) throw errorOf(code);
      contexts.push(context);
    }
    const [cards, waits] = contexts;
    const names = await readerNames(pcsc, cards!);
    if (names.length === 0) throw new Fault('reader', await withoutReader(pcsc));
    return { pcsc, cards: cards!, waits: waits!, reader: chooseReader(names, wanted) };
  } catch (error) {
    await releaseContexts(pcsc, contexts);
    throw error;
  }
}

async function releaseContexts(pcsc: PcscInterface, contexts: Handle[]): Promise<void> {
  for (const context of contexts) await pcsc.releaseContext(context);
}

/**
 * Lists the readers of the smart card service.
 * @throws Fault `reader` with advice when there is no library or service.
 */
export async function listPcscReaders(load: PcscPort['load']): Promise<string[]> {
  const pcsc = await load();
  const { code, context } = await pcsc.establishContext();
  if (code !== CODE.ok) throw errorOf(code);
  try {
    return await readerNames(pcsc, context);
  } finally {
    await pcsc.releaseContext(context);
  }
}

async function readerNames(pcsc: PcscInterface, context: Handle): Promise<string[]> {
  const { code, names } = await pcsc.listReaders(context);
  if (code === CODE.noReaders) return [];
  if (code !== CODE.ok) throw errorOf(code);
  return names;
}

/** Returns why there is no reader, with the kernel modules that may have taken it. */
async function withoutReader(pcsc: PcscInterface): Promise<string> {
  const modules = await pcsc.blockingModules();
  const problem = errorOf(CODE.noReaders).message;
  if (modules.length === 0) return problem;
  const names = modules.join(' ');
  return `${problem}; the kernel module ${modules[0]} takes readers such as the ACR122U for itself: 'sudo modprobe -r ${names}', a line 'blacklist ${modules[0]}' in /etc/modprobe.d/tapbench.conf, and 'sudo systemctl restart pcscd'`;
}

/** Returns the reader whose name is, or has, the given one. @throws Fault `reader` when none or several fit. */
function chooseReader(names: readonly string[], wanted: string): string {
  if (names.includes(wanted)) return wanted;
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted.toLowerCase()));
  if (fitting.length === 1) return fitting[0]!;
  const choice = (fitting.length > 0 ? fitting : names).map((name) => `'${PCSC_PREFIX}${name}'`).join(', ');
  const problem = fitting.length > 0 ? `several readers fit '${wanted}'` : `there is no reader '${wanted}'`;
  throw new Fault('reader', `${problem}: choose one of ${choice}, or plug it in`);
}

/** Returns whether an event word says that the reader itself is gone. */
export function isReaderGone(event: number): boolean {
  return (event & (STATE.unknown | STATE.unavailable)) !== 0;
}
