import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

test('replay: the token of a link is in no trace, and the form of its page is sent with that of the replay', async () => {
  const recording = await world.server.services.recordings!.startUnlisted('onboarding');
  const { body: account } = await world.api.post('/v1/accounts', { email: 'ana@corner.example' });
  const redirectUrl = 'https://shop.example/back?from=onboarding';
  const { body: link } = await world.api.post('/v1/account-links', { accountId: account.id, redirectUrl });
  const token = new URL(link.url).searchParams.get('l')!;
  const form = new URLSearchParams({ l: token, as: 'Business', 'payout.accountNumber': '00000111' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status } = await world.api.raw('POST', '/join', form.toString(), headers);
  const trace = await recording.stop();

  // A field is missing; 404 would say that the link is unknown.
  expect(status).toBe(400);
  expect(JSON.stringify(trace)).not.toContain(token);
  const sent = trace.items.findLast((item) => item.kind === 'call');
  expect(sent).toMatchObject({
    body: {
      text: expect.stringMatching(
        /^l=\{\{secret:\d+\}\}&as=Business&payout.accountNumber=\{\{digits:8:0111\}\}$/,
      ),
    },
  });
  const result = await replayTrace(trace);
  expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
  expect(result).toMatchObject({ outcome: 'identical' });
});
