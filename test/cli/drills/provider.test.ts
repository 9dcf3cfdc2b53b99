import { expect, test } from 'vitest';
import { openProvider } from '../../../cli/drills/provider.ts';

/** A shop whose provider replies with these texts, one after the other, and the pauses that the shop made. */
function shopWith(...replies: (Response | Error)[]) {
  const pauses: number[] = [];
  const provider = openProvider({
    url: 'http://tapbench.test',
    secretKey: 'sk_sandbox_shop',
    fetch: async () => {
      const reply = replies.shift();
      if (reply === undefined) throw new Error('asked more often than there are replies');
      if (reply instanceof Error) throw reply;
      return reply;
    },
    sleep: async (ms) => void pauses.push(ms),
  });
  return { provider, pauses };
}

test('provider: a read without a reply, and one with a 503, are repeated after a pause', async () => {
  const { provider, pauses } = shopWith(
    new Error('closed'),
    new Response('{"errors":[]}', { status: 503 }),
    new Response('{"id":"ps_1"}'),
  );
  expect(await provider.read('/payment-sessions/ps_1')).toEqual({ id: 'ps_1' });
  expect(pauses).toEqual([500, 500]);
});

test('provider: a reply that is not JSON ends the read, which would not get another one', async () => {
  const { provider, pauses } = shopWith(new Response('<html>'), new Response('<html>'));
  await expect(provider.read('/payment-sessions/ps_1')).rejects.toThrow('JSON');
  expect(pauses).toEqual([]);
});

test('provider: a refusal has the message of the server', async () => {
  const { provider } = shopWith(new Response('{"errors":[{"message":"no such session"}]}', { status: 404 }));
  await expect(provider.read('/payment-sessions/ps_1')).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('no such session'),
  });
});
