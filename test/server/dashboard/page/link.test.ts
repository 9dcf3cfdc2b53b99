import { expect, test } from 'vitest';
import { inOrder, type ApiResult } from '../../../../server/dashboard/page/link/api.ts';
import { createRequestKeys } from '../../../../server/dashboard/page/link/sent-once.ts';
import { sandboxName, sandboxPrefix } from '../../../../server/dashboard/page/link/sandbox-path.ts';
import { secretInHash } from '../../../../server/dashboard/page/link/session.ts';

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

const DONE: ApiResult<object> = { ok: true, body: {} };

const REFUSED: ApiResult<object> = { ok: false, status: 400, problem: 'too much' };

const NO_RESPONSE: ApiResult<object> = { ok: false, status: 0, problem: 'The server cannot be reached.' };

test('request keys: only the same request after one without a response has the same key', async () => {
  let count = 0;
  const withKey = createRequestKeys(() => `key-${(count += 1)}`);
  const keys: string[] = [];
  const send = (request: string, outcome: ApiResult<object>) =>
    withKey(request, async (key) => {
      keys.push(key);
      return outcome;
    });
  await send('refund 500', NO_RESPONSE);
  await send('refund 500', NO_RESPONSE);
  await send('refund 500', DONE);
  await send('refund 500', REFUSED);
  await send('refund 500', NO_RESPONSE);
  await send('refund 600', DONE);
  await send('refund 500', DONE);
  expect(keys).toEqual(['key-1', 'key-1', 'key-1', 'key-2', 'key-3', 'key-4', 'key-5']);
});

test('sandboxName: is that of the path, or default', () => {
  expect(['/', '/docs', '/s/ci-1/'].map(sandboxName)).toEqual(['default', 'default', 'ci-1']);
});

test.each([
  ['/', ''],
  ['/s/ci/', '/s/ci'],
  ['/s/branch-12/dashboard', '/s/branch-12'],
  ['/docs', ''],
])('sandboxPrefix: of the page %s is "%s"', (path, prefix) => {
  expect(sandboxPrefix(path)).toBe(prefix);
});

test('secretInHash: reads a token or a code from a dashboard link only', () => {
  expect(secretInHash('#token=dash_a-B_9')).toEqual({ token: 'dash_a-B_9' });
  expect(secretInHash('#code=a-B_9')).toEqual({ code: 'a-B_9' });
  for (const hash of ['', '#/', '#/terminals/tml_1', '#token=', '#token=a/b', '#x=1&token=a'])
    expect(secretInHash(hash)).toBe(undefined);
});
