import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isNestedDeeper,
  JSON_DEPTH_MAX,
  parseOutsideJson,
  TooDeepJson,
} from '../../protocol/outside-json.ts';

const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth);

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('JSON from outside', () => {
  it('is parsed up to its limit, and refused one level beyond', () => {
    expect(depthOf(parseOutsideJson(nested(JSON_DEPTH_MAX)))).toBe(JSON_DEPTH_MAX);
    expect(() => parseOutsideJson(nested(JSON_DEPTH_MAX + 1))).toThrow(TooDeepJson);
    expect(() => parseOutsideJson(`{"a":${nested(5)}}`, 5)).toThrow('nested more than 5 deep');
  });

  it('is refused without being parsed, however deep it is', () => {
    expect(() => parseOutsideJson('['.repeat(1_000_000))).toThrow(TooDeepJson);
    expect(() => parseOutsideJson('{"a":'.repeat(100_000))).toThrow(TooDeepJson);
  });

  it('that is not JSON throws the error of the parser', () => {
    for (const text of ['', '{', '"', '"\\', ']]]', 'nothing']) {
      expect(() => parseOutsideJson(text), text).toThrow(SyntaxError);
    }
  });

  it('has brackets in its strings that are no nesting', () => {
    for (const text of [
      `["${'['.repeat(99)}"]`,
      `{"\\"${'{'.repeat(99)}":1}`,
      `["\\\\","${'['.repeat(99)}"]`,
    ])
      expect(parseOutsideJson(text)).toEqual(JSON.parse(text));
  });

  it('is nested as deep as its value is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 12 }), fc.integer({ min: 0, max: 12 }), (text, depthMax) => {
        expect(isNestedDeeper(text, depthMax)).toBe(depthOf(JSON.parse(text)) > depthMax);
      }),
    );
  });

  it('with many backslashes is read in one pass', () => {
    // Quotation marks that are all escaped: each looks back over its own backslashes alone.
    const text = JSON.stringify('\\"'.repeat(200_000));
    expect(parseOutsideJson(text)).toBe('\\"'.repeat(200_000));
  });
});
