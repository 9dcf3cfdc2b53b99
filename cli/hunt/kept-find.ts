import { writeFileSync } from 'node:fs';
import { basename, dirname, join, parse, relative, resolve } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { type Code, callLines, codeOf } from '../../world/written-test/code.ts';
import { code, literal, memberName, NOTHING } from '../../world/written-test/expression.ts';
import type { HuntFound } from './hunt-engine.ts';

/**
 * Returns tests of Vitest, one for each plan that was found, that try it with the options of a module, and fail while it goes
 * wrong.
 * @param file the module
 * @param path where the tests are written, from which they import the module
 */
export function keptTests(
  finds: readonly Pick<HuntFound, 'example' | 'verdict'>[],
  file: string,
  path: string,
): string {
  const from = relative(dirname(resolve(path)), resolve(file)).replaceAll('\\', '/');
  const module = literal(from.startsWith('.') ? from : `./${from}`);
  const lines = [
    `import { expect, test } from 'vitest';`,
    `import { hunt } from 'tapbench/hunt';`,
    code`import options from ${module};`,
    ...finds.flatMap((found) => ['', ...testLines(found)]),
  ];
  return `${lines.join('\n')}\n`;
}

function testLines({ example, verdict }: Pick<HuntFound, 'example' | 'verdict'>): string[] {
  const options = { name: NOTHING, value: code`...options` };
  const plan = { name: memberName('plan'), value: codeOf(example) };
  // What goes wrong without faults has no plan.
  const given: Code = { brackets: '{}', entries: example.length > 0 ? [options, plan] : [options] };
  return [
    code`test(${literal(verdict)}, async () => {`,
    ...callLines(code`const { found } = await hunt`, [given], 1),
    '  expect(found?.verdict).toBeUndefined();',
    code`}, ${TIMEOUT});`,
  ];
}

// A hunt ends by itself before.
const TIMEOUT = code`120_000`;

/** Returns the file of plans beside a module: that of `test/shop.hunt.js` is `test/hunts/shop.json`. */
export function huntsBeside(file: string): string {
  const [name = 'hunt'] = basename(file).split('.');
  return join(dirname(file), 'hunts', `${name}.json`);
}

/** Writes a find into a file, and returns its path. @throws Fault `bad_setting` when it cannot be written */
export function writeFind(file: string, content: string | Buffer): string {
  try {
    writeFileSync(file, content);
  } catch (thrown) {
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
  return file;
}

/** Returns the file of the trace of a find: of the second, `hunt-1-2.tapbench` for `hunt-1.tapbench`. */
export function traceFile(typed: string | undefined, seed: string, number: number): string {
  const file = typed ?? `hunt-${seed.replaceAll(/[^\w-]/g, '_')}.tapbench`;
  const { dir, name, ext } = parse(file);
  return number === 1 ? file : join(dir, `${name}-${number}${ext}`);
}
