import { format } from 'prettier';
import { afterAll, expect, test } from 'vitest';
import { readTrace, traceFile } from '../../../server/traces/trace-file.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceReply } from '../../../server/traces/trace-item.schema.ts';
import { writeTest } from '../../../world/written-test/write-test.ts';
import { prepareSessions } from '../replay/recorded-session.ts';
import { unknownCode } from './known-code.ts';
import { runWrittenTest } from './run-written-test.ts';

const sessions = prepareSessions();
afterAll(() => sessions.close());

async function written(...parts: string[]): Promise<{ trace: Trace; code: string }> {
  const trace = await sessions.record(parts, 'written');
  return { trace, code: writeTest(trace, './session.tapbench') };
}

/** Adds a request and its reply, which the test is written of but which nobody sent. */
function addCall(trace: Trace, call: Partial<TraceCall>, reply: Partial<TraceReply> = {}): void {
  const { headers, atMs } = trace.items.find((item): item is TraceCall => item.kind === 'call')!;
  const seq = Math.max(...trace.items.map((item) => item.seq)) + 1;
  const base = {
    seq,
    atMs,
    kind: 'call',
    method: 'POST',
    url: '/v1/customers',
    headers,
    body: null,
  } as const;
  trace.items.push({ ...base, ...call });
  const answered = {
    seq: seq + 1,
    atMs,
    kind: 'reply',
    call: seq,
    status: 200,
    headers: {},
    body: null,
  } as const;
  trace.items.push({ ...answered, ...reply });
}

test('written test: a payment and a refund at the terminal have a line for each input, and read ids from replies', async () => {
  const { code } = await written('refund at the terminal');
  expect(code).toMatchSnapshot();
});

test('written test: an online payment has a line for each request, with secrets from replies and cards by name', async () => {
  const { code } = await written('captured and refunded');
  expect(code).toMatchSnapshot();
});

test.each([
  ['right PIN', `keys: ['1', '2', '3', '4', 'enter'],`],
  ['declined card', `card: 'visa-declined'`],
  ['cancelled by the API', 'const cancelAction = await api.post('],
  ['cancelled with the key', `keys: ['1', 'cancel']`],
  ['no paper', `till.terminal.perform({ act: 'paper', sheets: 1 });`],
  ['clock advanced', /await world\.advance\(\{ minutes: \d+ \}\);/],
  ['another terminal', '    terminalId: terminal.body.id,'],
  ['repeated request', `'idempotency-key': '{{secret:`],
  ['uploaded file', `form.set('category', 'PassportFront');`],
  ['triggered Customer.deleted', 'await api.delete(`/v1/customers/${customer.body.id}`);'],
])('written test: that of a session of %s has its lines', async (part, line) => {
  const { code } = await written(part);
  expect(code).toMatch(
    line instanceof RegExp ? line : new RegExp(line.replaceAll(/[$()[\]{}.*+?^|\\]/g, '\\$&')),
  );
});

test('written test: a terminal with a stand-alone payment terminal beside it has one there too', async () => {
  const { trace } = await written('another terminal');
  Object.assign(
    trace.items.find((item) => item.kind === 'terminal')!,
    { twin: 'nexo', readLatencyMs: 0 },
  );
  const [, options] = /world\.openTill\((\{[^]*?\})\);/.exec(writeTest(trace, './session.tapbench'))!;

  expect(options).toContain("twin: 'nexo'");
  expect(options).not.toContain('readLatencyMs');
});

test('written test: a terminal with a receipt printer beside it has one there too, and a reader of its own', async () => {
  const { trace } = await written('another terminal');
  Object.assign(
    trace.items.find((item) => item.kind === 'terminal')!,
    { twin: 'escpos', readLatencyMs: 0 },
  );
  const [, options] = /world\.openTill\((\{[^]*?\})\);/.exec(writeTest(trace, './session.tapbench'))!;

  expect(options).toContain("twin: 'escpos'");
  expect(options).toContain('readLatencyMs: 0');
});

test('written test: it has no secret, and no id that was made during the recording', async () => {
  const { trace, code } = await written('captured and refunded', 'tapped card');
  const snapshot = JSON.stringify(trace.snapshot.lines);
  const ids = code.match(/\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g) ?? [];
  expect(ids.filter((id) => !snapshot.includes(id))).toEqual([]);
  expect(code).not.toMatch(/\d{12,}|sk_|_secret_/);
});

test.each([
  ['a status of a reply', `status: 'Captured'`, `status: 'Voided'`],
  ['the HTTP status of a reply', 'status: 200', 'status: 201'],
])('written test: it fails when %s is another', async (_what, recorded, changed) => {
  const { trace, code } = await written('captured and refunded');
  expect(code).toContain(recorded);
  await expect(runWrittenTest(trace, code.replace(recorded, changed))).rejects.toThrow('to match object');
});

test('written test: texts of the recording are never code', async () => {
  const { trace } = await written('tapped card');
  const texts = ['`', '${process.exit()}', "'; process.exit(); '", '"\'', '\\', '\n', '*/', '\u2028'];
  const json = JSON.parse(JSON.stringify({ ...texts }).replace('"0"', '"__proto__"')) as object;
  addCall(trace, { url: '/v1/`${1}/return', body: { json } });
  trace.header.title = texts.join(' ');
  const code = writeTest(trace, "./it's.tapbench");
  const sent: unknown[] = [];
  const api = { post: async (path: string, body: unknown) => sent.push(path, body) };
  const line = /const \w+ = await api\.post\((?:(?!await)[^])*?\n\s*\}?,?\s*\);/g;
  const last = code.match(line)!.at(-1)!;
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the code under test is a text
  await (new Function('api', `return (async () => {${last}})()`)(api) as Promise<void>);
  expect(sent).toEqual(['/v1/`${1}/return', json]);
  expect(await format(code, { parser: 'typescript', singleQuote: true })).toBe(code);
});

test('written test: the state of a terminal before an act is a text, whatever it is', async () => {
  const { trace } = await written('refund at the terminal');
  const state = `a'); (await import('node:fs')).writeFileSync('written', ''); ('`;
  for (const item of trace.items)
    if (item.kind === 'output' && item.entry.step) item.entry.step.state = state;
  const code = writeTest(await readTrace(await traceFile(trace)), './session.tapbench');
  expect(unknownCode(code)).toEqual([]);
  expect(code).toContain(`await till.reaches("writeFileSync('written', ''); ('");`);
});

test('written test: a text of two parts that would be code together is none', async () => {
  const { trace } = await written('tapped card');
  const { terminalId } = trace.items.find((item) => item.kind === 'act')!;
  addCall(trace, { url: `/v1/in-person/terminals/${terminalId}/a$`.concat('{{secret:1}}') });
  const code = writeTest(trace, './session.tapbench');
  expect(unknownCode(code)).toEqual([]);
  expect(code).toContain('terminals/${terminalId}/a\\${{secret:1}}`');
});

test('written test: a trace with code for the size of a file is refused', async () => {
  const { trace } = await written('uploaded file');
  const call = trace.items.find((item) => item.kind === 'call' && item.body && 'form' in item.body)!;
  const { file } = (call as { body: { file: { bytes: unknown } } }).body;
  file.bytes = `(await import('node:fs')).writeFileSync('written', '') ?? 12009`;
  await expect(traceFile(trace).then(readTrace)).rejects.toThrow(
    `the trace is damaged: its item ${trace.items.indexOf(call) + 1}: body.`,
  );
});

test('written test: a trace that cannot be replayed, or sends an id that no reply has, is refused', async () => {
  const { trace } = await written('tapped card');
  const webhooks = trace.items.find((item) => item.kind === 'output' && item.entry.kind === 'event')!;
  const { id } = (webhooks as { entry: { detail: { id: string } } }).entry.detail;
  addCall(trace, { method: 'GET', url: `/v1/events/${id}` });
  expect(() => writeTest(trace, './session.tapbench')).toThrow(
    `${id} is sent, but is in no reply before that`,
  );
  trace.summary.notReplayable.push('the terminal tml_1 is not simulated');
  expect(() => writeTest(trace, './session.tapbench')).toThrow('the terminal tml_1 is not simulated');
});

test('written test: polls are left out', async () => {
  const { trace } = await written('tapped card');
  trace.header.virtualTime = undefined as never;
  const polled = { url: '/v1/in-person/terminals', method: 'GET' };
  const body = { json: { status: 'Online' } };
  addCall(trace, polled, { body });
  addCall(trace, { ...polled, settled: true }, { body });
  addCall(trace, { ...polled, settled: true }, { body });
  const code = writeTest(trace, './session.tapbench');
  expect(code.match(/await api\.get\('\/v1\/in-person\/terminals'\)/g)).toHaveLength(1);
});
