import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ElkNode } from 'elkjs';
import { after, SystemClock, type Timer } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';

/**
 * The graph library on a thread of its own: it is 1.5 MB to load and takes a tenth of a second for a machine, which
 * payments under way shall not wait for. Spoken to directly, not through the library's own front, whose answers
 * come by `setTimeout`: in a test that has stopped the timers they would not come at all.
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

interface Asked {
  graph: ElkNode;
  resolve: (graph: ElkNode) => void;
  reject: (error: Error) => void;
}

const REGISTER_ID = 0;
/** Messages are copied. */
const NOTHING_MOVED: [] = [];
const asked = new Map<number, Asked>();
let lastId = REGISTER_ID;
let thread: Worker | undefined;

/** A hundred times what a machine of ours takes. */
const LIMIT_MS = 5_000;
const clock = new SystemClock();
let limit: Timer | undefined;

/**
 * Gives every node and label its place and every edge its points.
 * @throws Fault `internal`, also when that takes more than 5 s: a description comes from a terminal, and no other
 * chart waits longer for it
 */
export function arrange(graph: ElkNode): Promise<ElkNode> {
  const id = ++lastId;
  const answer = new Promise<ElkNode>((resolve, reject) => asked.set(id, { graph, resolve, reject }));
  thread ??= startThread();
  thread.ref();
  post(thread, id, graph);
  limit ??= after(clock, LIMIT_MS, giveUp);
  return answer;
}

function post(to: Worker, id: number, graph: ElkNode): void {
  to.postMessage({ id, cmd: 'layout', graph, layoutOptions: {}, options: {} }, NOTHING_MOVED);
}

/** Ends the thread with the graph that it works on, the first of those that wait; the others get a new thread. */
function giveUp(): void {
  const [id, given] = asked.entries().next().value!;
  asked.delete(id);
  given.reject(new Fault('internal', `a chart could not be laid out within ${LIMIT_MS / 1_000} s`));
  const slow = thread;
  limit = undefined;
  thread = undefined;
  slow?.removeAllListeners('message');
  void slow?.terminate();
  if (asked.size === 0) return;
  const next = startThread();
  thread = next;
  for (const [later, { graph }] of asked) post(next, later, graph);
  limit = after(clock, LIMIT_MS, giveUp);
}

function startThread(): Worker {
  const workerData = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');
  const started = new Worker(THREAD, { eval: true, workerData });
  started.on('message', take);
  started.on('error', (error) => {
    limit?.cancel();
    limit = undefined;
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
    thread = undefined;
  });
  started.postMessage({ id: REGISTER_ID, cmd: 'register', algorithms: ['layered'] }, NOTHING_MOVED);
  return started;
}

function take({ id, data, error }: Answer): void {
  const waiting = asked.get(id);
  asked.delete(id);
  limit?.cancel();
  limit = asked.size > 0 ? after(clock, LIMIT_MS, giveUp) : undefined;
  if (error || !data)
    waiting?.reject(new Fault('internal', `a chart could not be laid out: ${error?.message ?? 'no answer'}`));
  else waiting?.resolve(data);
  if (asked.size > 0) return;
  // Nobody waits for it any more, and a process may end; what it holds is given back if nothing follows at once.
  thread?.unref();
  setImmediate(() => {
    if (asked.size > 0) return;
    void thread?.terminate();
    thread = undefined;
  });
}
