import { toChildArray, type VNode } from 'preact';
import { expect, test } from 'vitest';
import { ActDrawing } from '../../../../server/dashboard/page/certificates/act-drawing.tsx';

const partsOf = (act: string) =>
  toChildArray((ActDrawing({ act }) as VNode<{ children: VNode[] }>).props.children);

test('act drawing: an act without a drawing has the device alone, also one with the name of a member of every object', () => {
  const drawn = (act: string) =>
    partsOf(act).map((part) => Boolean((part as VNode<{ d?: string; children?: unknown }>).props.children));
  expect(drawn('constructor')).toEqual(drawn('wave'));
  expect(drawn('insert').length).toBe(drawn('wave').length + 1);
});
