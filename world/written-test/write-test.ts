import { Fault } from '../../protocol/failures.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceItem, TraceReply } from '../../server/traces/trace-item.schema.ts';
import { repliesOf } from '../../server/traces/trace-entries.ts';
import { createApiClients } from './api-clients.ts';
import { callLines, codeOf } from './code.ts';
import { expectedOf, finalStates } from './final-states.ts';
import { code, literal, member, NOTHING, type Expression } from './expression.ts';
import { createNames, nameOfReply } from './names.ts';
import { createReferences } from './references.ts';
import { createStruckRequests, strikesOf } from './struck-requests.ts';
import { createTestTime } from './test-time.ts';
import { createTerminalLines, createRequestLines, type WriterParts } from './call-lines.ts';
import { isDeepStrictEqual } from 'node:util';

// Virtual time is fast, but a recording of weeks has many timers.
const TIMEOUT = code`60_000`;

/**
 * Returns the code of a vitest test that begins as a trace does, sends what was recorded as input, and expects the recorded
 * results.
 * @param from path of the trace from the folder of the test, such as `./session.tapbench`
 * @throws Fault `bad_setting` for a trace that cannot be replayed, and for a request with an id that is in no reply before it
 */
export function writeTest(trace: Trace, from: string): string {
  const reasons = trace.summary.notReplayable;
  if (reasons.length > 0) throw new Fault('bad_setting', `no test can be written: ${reasons.join('; ')}`);
  const { body, constants } = writeBody(trace);
  const lines = [
    `import { expect, onTestFinished, test } from 'vitest';`,
    `import { startWorld } from 'tapbench/world';`,
    '',
    code`const TRACE = new URL(${literal(from)}, import.meta.url);`,
    '',
    code`test(${literal(trace.header.title || 'the recorded session')}, async () => {`,
    '  const world = await startWorld({ from: TRACE });',
    '  onTestFinished(() => world.close());',
    ...(body.some((line) => /\bapi\b/.test(line)) ? ['  const { api } = world;'] : []),
    ...constants.map((line) => `  ${line}`),
    ...body,
    code`}, ${TIMEOUT});`,
  ];
  return `${lines.join('\n')}\n`;
}

function writeBody(trace: Trace) {
  const names = createNames();
  const references = createReferences(trace, names);
  const body: string[] = [];
  const write = (line: Expression) => void body.push(line && `  ${line}`);
  const clients = createApiClients(trace, { names, references, write });
  const time = createTestTime(trace, write);
  const replies = repliesOf(trace.items);
  const leftOut = readsLeftOut(trace, replies);
  const parts: WriterParts = {
    names,
    references,
    clients,
    write,
    writeCall: (callee, args) => void body.push(...callLines(callee, args, 1)),
  };
  const { writeCall } = parts;
  const { tillOf, openTill, perform, tillLines } = createTerminalLines(parts);
  const writeRequest = createRequestLines(parts);
  const struck = createStruckRequests(trace, replies, { ...parts, time, writeRequest, expectReply });

  function repeatCall(call: TraceCall): void {
    const reply = replies.get(call.seq);
    const json = reply?.body && 'json' in reply.body ? reply.body.json : undefined;
    if (leftOut.has(call.seq) && !references.isNeededLater(call, json)) return;
    write(NOTHING);
    time.reach(call);
    if (time.advancesClock(call, reply)) return;
    const variable = names.take(nameOfReply(call.method, call.url));
    if (struck.send(call, variable)) return;
    writeRequest(call, variable);
    if (reply) expectReply(reply, variable);
  }

  function expectReply(reply: TraceReply, variable: Expression): void {
    if (reply.status === null) return;
    writeCall(code`expect(${variable}).toMatchObject`, [codeOf(expectedOf(reply))]);
    const json = reply.body && 'json' in reply.body ? reply.body.json : undefined;
    references.reply(json, member(variable, 'body'));
  }

  function repeat(item: TraceItem): void {
    if (item.kind === 'call') return repeatCall(item);
    if (item.kind === 'terminal') {
      write(NOTHING);
      time.reach(item);
      openTill(item);
    }
    if (item.kind === 'act') {
      write(NOTHING);
      time.reach(item, tillOf(item.terminalId));
      perform(item);
    }
    if (item.kind === 'reply') struck.takeReply(item);
    if (item.kind === 'output') time.note(item);
  }

  for (const item of trace.items) repeat(item);
  time.reachEnd();
  writeFinalStates(trace, parts);
  const constants = [...references.constants].map(([id, name]) => code`const ${name} = ${literal(id)};`);
  return { body, constants: [...constants, ...tillLines] };
}

/** Writes what the test expects of objects at its end, unless something was under way at the end of the recording. */
function writeFinalStates(trace: Trace, { names, references, clients, write, writeCall }: WriterParts): void {
  if (!trace.summary.settled) return;
  for (const { path, headers, expected } of finalStates(trace, clients.isOfPlatform)) {
    write(NOTHING);
    const client = clients.clientFor(headers);
    const name = names.take(nameOfReply('GET', path));
    writeCall(code`const ${name} = await ${client}.get`, [references.textCode(path)]);
    writeCall(code`expect(${name}).toMatchObject`, [codeOf({ status: 200, body: expected })]);
  }
}

/**
 * Returns the reads that a test leaves out, by number: those of a server in real time while something was under way, whose
 * replies depend on the moment, and those that repeat the request before them with the same result. Where faults struck the API,
 * which count requests, these are not left out.
 */
function readsLeftOut(trace: Trace, replies: ReadonlyMap<number, TraceReply>): ReadonlySet<number> {
  const leftOut = new Set<number>();
  const areCounted = strikesOf(trace).some((strike) => strike.startsWith('api.'));
  let last: TraceCall | undefined;
  for (const item of trace.items) {
    if (item.kind !== 'call' && item.kind !== 'act') continue;
    if (item.kind === 'act' || item.method !== 'GET') {
      last = undefined;
      continue;
    }
    const isRacing = !trace.header.virtualTime && !item.settled;
    if (isRacing || (!areCounted && last && isSameRead(last, item, replies))) leftOut.add(item.seq);
    else last = item;
  }
  return leftOut;
}

function isSameRead(one: TraceCall, other: TraceCall, replies: ReadonlyMap<number, TraceReply>): boolean {
  const [replyToOne, replyToOther] = [replies.get(one.seq), replies.get(other.seq)];
  return (
    one.url === other.url &&
    isDeepStrictEqual(one.headers, other.headers) &&
    replyToOne !== undefined &&
    replyToOther !== undefined &&
    isDeepStrictEqual(expectedOf(replyToOne), expectedOf(replyToOther))
  );
}
