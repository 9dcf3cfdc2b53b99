import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, onTestFinished, test } from 'vitest';
import type { HuntFound, HuntResult } from '../../../cli/hunt/hunt-engine.ts';
import { sarifOf, withHuntSarif } from '../../../cli/hunt/hunt-sarif.ts';

const closed = { additionalProperties: false };
const Message = Type.Object({ text: Type.String({ minLength: 1 }) }, closed);
const physicalLocation = Type.Object(
  {
    artifactLocation: Type.Object(
      { uri: Type.String({ pattern: '^[^/ \\\\][^ \\\\]*$' }), uriBaseId: Type.Literal('%SRCROOT%') },
      closed,
    ),
    region: Type.Object({ startLine: Type.Integer({ minimum: 1 }) }, closed),
  },
  closed,
);

/**
 * The members of SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0, §3.13 to §3.58) that are written, with those that the
 * standard and GitHub's code scanning require.
 */
const Sarif = Type.Object(
  {
    $schema: Type.String(),
    version: Type.Literal('2.1.0'),
    runs: Type.Array(
      Type.Object(
        {
          tool: Type.Object({
            driver: Type.Object(
              {
                name: Type.String(),
                semanticVersion: Type.String({ pattern: String.raw`^\d+\.\d+\.\d+` }),
                rules: Type.Array(Type.Object({ id: Type.String(), shortDescription: Message }, closed)),
              },
              closed,
            ),
          }),
          invocations: Type.Array(
            Type.Object(
              {
                executionSuccessful: Type.Boolean(),
                toolExecutionNotifications: Type.Array(
                  Type.Object({ level: Type.Literal('error'), message: Message }, closed),
                ),
              },
              closed,
            ),
          ),
          results: Type.Array(
            Type.Object(
              {
                ruleId: Type.String(),
                ruleIndex: Type.Integer({ minimum: 0 }),
                level: Type.Literal('error'),
                message: Message,
                locations: Type.Array(Type.Object({ physicalLocation }, closed), { maxItems: 1 }),
                relatedLocations: Type.Array(
                  Type.Object({ id: Type.Integer(), message: Message, physicalLocation }, closed),
                ),
                partialFingerprints: Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{64}$' })),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
      { minItems: 1, maxItems: 1 },
    ),
  },
  closed,
);

const FOUND: HuntFound = {
  plan: [{ at: 'webhook.attempt', what: 'twice', when: {} }],
  verdict: 'the order order-1 was charged 2 times',
  verdictName: 'chargedOnce',
  confirmed: { runs: 2, wrong: 2 },
  story: [
    { atMs: 0, who: 'shop', text: 'Take a payment: no reply', line: 'src/my shop.ts:40' },
    { atMs: 1, who: 'fault', text: 'the reply was lost' },
    { atMs: 2, who: 'calm', text: 'without faults: GET /v1/events' },
    { atMs: 2, who: 'shop', text: 'Take a payment: 200', line: 'src/my shop.ts:41' },
  ],
  orders: [],
  example: [],
  trace: Buffer.alloc(0),
};
const RESULT: HuntResult = {
  endedBy: 'plans',
  plans: 9,
  notReached: 0,
  repeated: 0,
  unfinished: 0,
  struckLater: 0,
  tried: [],
  notJudged: [],
  thrown: [],
  warnings: [],
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tapbench-sarif-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('sarifOf: is SARIF 2.1.0, at the line at which the shop sends something else than without faults', () => {
  const other = { ...FOUND, verdictName: 'ownVerdict' };
  const written = JSON.parse(JSON.stringify(sarifOf([FOUND, other], [], undefined)));
  expect([...Value.Errors(Sarif, written)]).toEqual([]);
  const [{ tool, results }] = written.runs;
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['chargedOnce', 'ownVerdict']);
  expect(results).toMatchObject([
    { ruleId: 'chargedOnce', ruleIndex: 0 },
    { ruleId: 'ownVerdict', ruleIndex: 1 },
  ]);
  const [first] = results;
  const at = ({ physicalLocation: { artifactLocation, region } }: typeof first) =>
    `${artifactLocation.uri}:${region.startLine}`;
  expect([at(first.locations[0]), ...first.relatedLocations.map(at)]).toEqual([
    'src/my%20shop.ts:41',
    'src/my%20shop.ts:40',
  ]);
  expect(first.message.text).toMatch(/^the order order-1 was charged 2 times\n[\s\S]*\nwhat happened:\n/);
  expect(first.partialFingerprints).not.toEqual(results[1].partialFingerprints);
});

test('sarifOf: a story without lines is at the first word of the command that is a file', () => {
  const file = join(folder(), 'shop.py');
  writeFileSync(file, '');
  const told = { ...FOUND, story: [] };
  const locations = (program: string[]) =>
    JSON.parse(JSON.stringify(sarifOf([told], program, undefined))).runs[0].results[0].locations;
  expect(locations(['python3', file])[0].physicalLocation.artifactLocation.uri).toBe(file);
  expect(locations(['python3', 'nowhere.py'])).toEqual([]);
});

test('withHuntSarif: what was not found out is no success, and replaces the file of an earlier run', async () => {
  const file = join(folder(), 'out/hunt.sarif');
  const written = async (run: () => Promise<HuntResult>) => {
    const ended = await withHuntSarif({ file, program: [] }, run).then(
      () => 'returned',
      ({ message }: Error) => message,
    );
    const [{ results, invocations }] = JSON.parse(readFileSync(file, 'utf8')).runs;
    const [{ executionSuccessful, toolExecutionNotifications }] = invocations;
    const [notification] = toolExecutionNotifications;
    return [ended, results.length, executionSuccessful, notification?.message.text];
  };
  const found = () => Promise.resolve({ ...RESULT, found: FOUND });
  expect(await written(found)).toEqual(['returned', 1, true, undefined]);
  expect(await written(() => Promise.reject(new Error('no licence')))).toEqual([
    'no licence',
    0,
    false,
    'no licence',
  ]);
  expect(await written(() => Promise.resolve(RESULT))).toEqual(['returned', 0, true, undefined]);
  const stopped = () => Promise.resolve({ ...RESULT, endedBy: 'stop' as const });
  expect(await written(stopped)).toEqual(['returned', 0, false, 'the hunt was interrupted']);
});

test('withHuntSarif: a file that cannot be written is refused', async () => {
  const writing = withHuntSarif({ file: '/proc/none/hunt.sarif', program: [] }, () =>
    Promise.resolve(RESULT),
  );
  await expect(writing).rejects.toThrow('--sarif /proc/none/hunt.sarif cannot be written');
});
