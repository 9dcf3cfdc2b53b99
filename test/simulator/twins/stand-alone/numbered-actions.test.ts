import { expect, test } from 'vitest';
import { memoryOf } from '../../../../simulator/twins/stand-alone/journal.ts';
import { nameActions } from '../../../../simulator/twins/stand-alone/numbered-actions.ts';
import { createCardTray } from '../../../../simulator/twins/twin.ts';

test('action names: the server hears of an action by its id, also of one from before a power cut of the till', () => {
  const memory = memoryOf(createCardTray());
  const before = nameActions(memory);
  expect(['one', 'two', 'one'].map((actionId) => before.ofTerminal({ actionId }).actionId)).toEqual([
    'action 1',
    'action 2',
    'action 1',
  ]);
  const after = nameActions(memory);
  expect(['action 1', 'action 2'].map((actionId) => after.ofServer({ actionId }).actionId)).toEqual([
    'one',
    'two',
  ]);
});
