import { expect, test } from 'vitest';
import { inOrder } from '../../../../server/dashboard/page/link/api.ts';

/** Questions that are answered when the test says so. */
function openQuestions() {
  const shown: string[] = [];
  const pass = inOrder((answer: string) => void shown.push(answer));
  const ask = () => {
    let respond!: (answer: string) => void;
    const done = pass(new Promise((resolve) => (respond = resolve)));
    return async (answer: string) => {
      respond(answer);
      await done;
    };
  };
  return { shown, ask };
}

test('answers in order: each is passed on', async () => {
  const { shown, ask } = openQuestions();
  const [first, second] = [ask(), ask()];
  await first('one recording');
  await second('none');
  expect(shown).toEqual(['one recording', 'none']);
});

test('answers in order: one that a later one has overtaken is dropped', async () => {
  const { shown, ask } = openQuestions();
  const [first, second, third] = [ask(), ask(), ask()];
  await second('none');
  await first('one recording');
  await third('another');
  expect(shown).toEqual(['none', 'another']);
});
