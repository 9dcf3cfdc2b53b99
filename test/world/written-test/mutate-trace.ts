import { fraction, seededRandom } from '../../../protocol/ids.ts';
import { traceLines } from '../../../server/traces/trace-file.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';

/** Texts that end a literal, are code in one, or have a meaning in JavaScript or in a trace. */
const TEXTS = [
  `'`,
  `"`,
  '`',
  '\\',
  '$',
  '\n',
  '\r\n',
  '\u2028',
  '\u202E',
  '\uD800',
  '*/',
  '//',
  '${process.exit()}',
  '${',
  '}',
  `'); process.exit(); ('`,
  `"); process.exit(); ("`,
  '`); process.exit(); (`',
  `(await import('node:fs')).writeFileSync('written', '') ?? 12009`,
  '__proto__',
  'constructor',
  'toString',
  'await',
  'api',
  'world',
  '{{secret:1}}',
  '{{secret:2}}',
  '{{pin:1}}',
  '{{card:visa-0085}}',
  '${{secret:1}}',
  'tml_01KE6P4YM0XSD19WGEXPDT4XEY',
  'ps_01KE6P4YM0XSD19WGEXPDT4XEY',
  '/v1/constructor/await',
  '/v1/on-test-finished',
  '/v1/`${process.exit()}`?a=\'"',
  '/sandbox/clock/advance',
];

const NUMBERS = [0, -1, 1.5, 1e21, 8.64e15, Number.MAX_SAFE_INTEGER];

const VALUES: readonly unknown[] = [
  null,
  true,
  ...NUMBERS,
  [],
  {},
  [[[[]]]],
  { json: { a: 1 } },
  { text: 'a' },
];

/** Members whose text is one of a few. */
const WORDS = new Set(['kind', 'lane', 'tone', 'request', 'act', 'format', 'of']);

type Node = Record<string, unknown>;

interface Place {
  parent: Node;
  name: string;
}

function* placesIn(value: unknown): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  const parent = value as Node;
  for (const name of Object.keys(parent)) {
    yield { parent, name };
    yield* placesIn(parent[name]);
  }
}

/** Returns the lines of a trace with something else in up to three places. The seed decides what and where. */
export function mutateTrace(trace: Trace, seed: string): unknown[] {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(fraction(random) * count);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const lines = structuredClone(traceLines(trace));
  const firstItem = lines.length - 1 - trace.items.length;

  /** Returns a place in a value: mostly one of a text that is no word of the format. */
  function placeIn(node: unknown): Place | undefined {
    const places = [...placesIn(node)];
    const texts = places.filter(
      ({ parent, name }) => typeof parent[name] === 'string' && !WORDS.has(name) && !Array.isArray(parent),
    );
    return texts.length > 0 && below(10) > 0 ? one(texts) : one(places);
  }

  function changedText(text: string): string {
    const at = below(text.length + 1);
    return one([
      () => one(TEXTS),
      () => text.slice(0, at) + one(TEXTS) + text.slice(at),
      () => text + one(TEXTS) + one(TEXTS),
      () => text.slice(0, at),
    ])();
  }

  function changed(value: unknown): unknown {
    // Most keep their type, so that most are not refused.
    const isKept = below(10) > 0;
    if (typeof value === 'string' && isKept) return changedText(value);
    if (typeof value === 'number' && isKept) return value + one(NUMBERS);
    if (typeof value === 'boolean' && isKept) return !value;
    return one([
      () => one(VALUES),
      () => one(TEXTS),
      () => ({ [one(TEXTS)]: value }),
      () => [value, value],
    ])();
  }

  function rename(parent: Node, name: string): void {
    // An assignment to `__proto__` would set the prototype.
    const value = parent[name];
    delete parent[name];
    Object.defineProperty(parent, one(TEXTS), {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }

  function mutate(): void {
    // Most are of items, of which the lines of a test are written.
    const line = below(5) > 0 ? firstItem + below(trace.items.length) : below(lines.length);
    const { parent, name } = placeIn(lines[line]) ?? {
      parent: lines as unknown as Node,
      name: String(line),
    };
    const action = below(20);
    if (action === 0) delete parent[name];
    else if (action === 1 && Array.isArray(parent))
      parent.splice(Number(name), 0, structuredClone(parent[Number(name)]));
    else if (action === 2 && !Array.isArray(parent)) rename(parent, name);
    else parent[name] = changed(parent[name]);
  }

  for (let left = 1 + below(3); left > 0; left -= 1) mutate();
  return lines;
}
