import { expect, test } from 'vitest';
import type { ApiResult } from '../../../../server/dashboard/page/link/api.ts';
import { createRequestKeys } from '../../../../server/dashboard/page/link/sent-once.ts';

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
