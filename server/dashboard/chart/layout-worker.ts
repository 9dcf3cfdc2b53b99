import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ElkNode } from 'elkjs';
import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';

/**
 * The graph library in a worker thread: it is 1.5 MB to load and takes a tenth of a second for a machine, which would
 * block payments. Its messages are sent directly rather than through the library's own client, which responds by
 * `setTimeout` and so would never respond in a test with fake timers.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
globalThis.self = { postMessage: (answer) => parentPort.postMessage(answer) };
require(workerData);
parentPort.on('message', (data) => globalThis.self.onmessage({ data }));
`;

interface Answer {
  id: number;
  data?: ElkNode;
  error?: { message?: string };
}

interface PendingGraph {
  graph: ElkNode;
  resolve: (graph: ElkNode) => void;
  reject: (error: Error) => void;
}

const REGISTER_ID = 0;
/** No transfer list: messages are copied. */
const NOTHING_MOVED: [] = [];

/** The time limit of one graph, on a clock that runs in real time. */
export interface TimeLimit {
  clock: Clock;
  limitMs: number;
}

/**
 * Gives every node and label of a graph its position and every edge its points.
 * @throws Fault `internal`, also when the graph takes longer than the limit
 */
export type Arrange = (graph: ElkNode) => Promise<ElkNode>;

/**
 * Creates an Arrange with its own worker thread, which lays out one graph at a time and ends when the queue is empty.
 * @param limit for graphs from outside: even a small one can take minutes; without it there is no limit
 */
export function createArrange(limit?: TimeLimit): Arrange {
  const pending = new Map<number, PendingGraph>();
  let lastId = REGISTER_ID;
  let thread: Worker | undefined;
  let timer: Timer | undefined;

  function watch(): void {
    timer?.cancel();
    timer = limit && pending.size > 0 ? after(limit.clock, limit.limitMs, cancelFirst) : undefined;
  }

  /** Ends the thread together with the graph it works on, the first of the queue; the others get a new thread. */
  function cancelFirst(): void {
    const [id, first] = pending.entries().next().value!;
    pending.delete(id);
    first.reject(new Fault('internal', `a chart could not be laid out within ${limit!.limitMs / 1_000} s`));
    thread?.removeAllListeners('message');
    void thread?.terminate();
    thread = pending.size > 0 ? startThread() : undefined;
    for (const [later, { graph }] of pending) post(thread!, later, graph);
    watch();
  }

  function startThread(): Worker {
    const workerData = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');
    const started = new Worker(THREAD, { eval: true, workerData });
    started.on('message', take);
    started.on('error', (error) => {
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
      thread = undefined;
      watch();
    });
    started.postMessage({ id: REGISTER_ID, cmd: 'register', algorithms: ['layered'] }, NOTHING_MOVED);
    return started;
  }

  function take({ id, data, error }: Answer): void {
    const waiting = pending.get(id);
    pending.delete(id);
    watch();
    if (error || !data)
      waiting?.reject(
        new Fault('internal', `a chart could not be laid out: ${error?.message ?? 'no answer'}`),
      );
    else waiting?.resolve(data);
    if (pending.size > 0) return;
    // The queue is empty: the thread must not keep the process alive, and its memory is freed unless work follows at
    // once.
    thread?.unref();
    setImmediate(() => {
      if (pending.size > 0) return;
      void thread?.terminate();
      thread = undefined;
    });
  }

  return (graph) => {
    const id = ++lastId;
    const answer = new Promise<ElkNode>((resolve, reject) => pending.set(id, { graph, resolve, reject }));
    thread ??= startThread();
    thread.ref();
    post(thread, id, graph);
    if (!timer) watch();
    return answer;
  };
}

function post(to: Worker, id: number, graph: ElkNode): void {
  to.postMessage({ id, cmd: 'layout', graph, layoutOptions: {}, options: {} }, NOTHING_MOVED);
}
