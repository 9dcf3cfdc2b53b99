import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passChallenge } from '../../../cli/compare/browser-hands.ts';
import type { Json } from '../../../cli/drills/stage.ts';
import { MAIN } from '../kit/child-command.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { typeOnTerminal } from '../kit/terminal-window.ts';
import { waitFor } from '../kit/wait-for.ts';

const CONTROL_C = '\u0003';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
beforeAll(async () => {
  tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
});

/** A sandbox as the other server, and a comparison with it on a pseudo terminal. */
async function compareOnTerminal(only: string) {
  const { body: other }: Json = await tapbench.api('POST', '/sandboxes', { strict: 'on' });
  const api = (method: string, path: string, body?: object) =>
    tapbench.api(method, path, body, { authorization: other.secretKey });
  const id: string = other.terminals[0].id;
  await waitFor('the terminal is online', async () => {
    const { items } = (await api('GET', '/sandbox/terminals')).body;
    return items.some(({ online }: Json) => online);
  });
  // A person is at it.
  await api('POST', `/sandbox/terminals/${id}/cardholder`, { script: 'none' });
  const keys = new PassThrough();
  const press = (typed: string) => void keys.write(typed);
  const folder = fixture.folder();
  const flags = `--to ${tapbench.url} --only ${only} --rate 50 --hands`;
  const window = typeOnTerminal(fixture, `'${process.execPath}' '${MAIN}' compare ${flags}`, {
    cwd: folder,
    input: keys,
    env: {
      TAPBENCH_URL: tapbench.url,
      SECRET_KEY: tapbench.secretKey,
      COMPARE_KEY: other.secretKey,
      TERM: 'xterm',
    },
  });
  return {
    window,
    folder,
    api,
    id,
    press,
    type: (line: string) => press(`${line}\r`),
    read: (): Json => JSON.parse(readFileSync(join(folder, 'comparison/comparison.json'), 'utf8')),
  };
}

test('compare --hands: a person is asked to tap a card at the other server, and the payment is compared', async () => {
  const { window, api, id, type, read } = await compareOnTerminal('in-person/payment');
  await window.prints(/Go on\? Type yes and press Enter\./);
  type('yes');
  await window.prints(/Tap a card on terminal .* now, one that is approved\. Then press Enter\./);
  expect(
    (await api('POST', `/sandbox/terminals/${id}/present-card`, { card: 'visa-contactless' })).status,
  ).toBe(200);
  type('');
  const { code } = await window.ended;
  const { results, counts } = read();
  expect([code, counts.alike, counts.notTried]).toEqual([0, 1, 0]);
  expect(results).toMatchObject([
    { name: 'in-person/payment', notShown: null, needs: null, differences: [] },
  ]);
});

test('compare --hands: Control-C at the question cancels the action at the other server', async () => {
  const { window, api, id, press, type, read } = await compareOnTerminal('in-person/payment');
  await window.prints(/Go on\?/);
  type('yes');
  await window.prints(/Tap a card on terminal/);
  press(CONTROL_C);
  const { code } = await window.ended;
  const { action } = (await api('GET', `/v1/in-person/terminals/${id}`)).body;
  expect([code, action.status, read().counts.notRun]).toEqual([130, 'Cancelled', 1]);
});

test('compare --hands: a challenge is passed on a page, which is gone afterwards', async () => {
  const { window, folder, type, read } = await compareOnTerminal('three-d-secure/challenge-passed');
  await window.prints(/Go on\?/);
  type('yes');
  const [, page = ''] = await window.prints(/Open (\S+) in a browser, and pass the challenge\./);
  const form = readFileSync(join(folder, page), 'utf8');
  await passChallengeOf(form);
  type('');
  const { code } = await window.ended;
  expect([code, read().counts.alike, existsSync(join(folder, page))]).toEqual([0, 1, false]);
});

/** Sends the form of a page and answers the bank, as a person does in a browser. */
async function passChallengeOf(page: string): Promise<void> {
  const [, action = ''] = /action="([^"]+)"/.exec(page)!;
  const [, creq = ''] = /name="creq" value="([^"]*)"/.exec(page)!;
  expect(await passChallenge(fetch, { creq, acsUrl: action })).toBe(true);
}
