import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Ended } from '../kit/child-command.ts';
import { createSystemFixture, type SystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { typeOnTerminal } from '../kit/terminal-window.ts';
import { AREAS } from './areas.ts';
import { replacePlaceholders, type ExampleRow, type ExampleRows, type Running } from './example-row.ts';
import { openStage, type Stage } from './stage.ts';

const NOTHING = /^$/;
const CONTROL_C = '\u0003';

/** Runs the line of each row of an area as a process, on one server. */
export function runExamples(area: keyof typeof AREAS): void {
  const rows: ExampleRows = AREAS[area];
  const shared = createSystemFixture();
  let server: Tapbench;
  beforeAll(async () => {
    server = await shared.tapbench();
  });
  afterAll(() => shared.cleanUp());

  test.each(Object.entries(rows))('%s', async (line, row) => {
    const fixture = createSystemFixture();
    onTestFinished(() => fixture.cleanUp());
    await runExample(fixture, server, { line, row });
  });
}

async function runExample(
  fixture: SystemFixture,
  server: Tapbench,
  { line, row }: { line: string; row: ExampleRow },
): Promise<void> {
  const stage = await openStage(fixture, server, row.alone ?? false);
  const replacements = (await row.prepare?.(stage)) ?? {};
  const ended = await endOf(stage, replacePlaceholders(line, replacements), row);
  expect(ended).toEqual({
    code: row.code ?? 0,
    signal: null,
    stdout: expect.stringMatching(row.stdout ?? NOTHING),
    stderr: expect.stringMatching(row.stderr ?? NOTHING),
  });
  await row.after?.(stage, ended);
}

/** Runs a line to its end. */
async function endOf(stage: Stage, line: string, row: ExampleRow): Promise<Ended> {
  const running = start(stage, row.nextLine === undefined ? line : `${line}\n${row.nextLine}`, row);
  await row.meanwhile?.(stage, running);
  return running.child.ended;
}

function start(stage: Stage, line: string, { keyboard, window, input }: ExampleRow): Running {
  const keys = new PassThrough();
  const press = (typed: string) => void keys.write(typed);
  if (window) {
    const child = typeOnTerminal(stage.fixture, line, { ...stage.environment, input: keys });
    return { child, press, interrupt: () => press(CONTROL_C) };
  }
  const { child, signal } = stage.type(line, keyboard ? keys : input);
  return { child, press, interrupt: () => signal('SIGINT') };
}
