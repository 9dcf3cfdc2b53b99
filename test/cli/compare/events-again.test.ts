import { expect, test } from 'vitest';
import type { PlainRequest } from '../../../cli/compare/careful-client.ts';
import { compareEventsAgain } from '../../../cli/compare/events-again.ts';
import type { ScenarioRun, Target } from '../../../cli/compare/run-scenario.ts';
import type { Scenario } from '../../../cli/compare/scenario.ts';

const NOW = 1_800_000_000;
const DATA = { id: 'ps_1', status: 'Voided' };
const SCENARIO: Scenario = {
  name: 'payments/void',
  title: 'T',
  rules: ['4.1/void'],
  choices: [],
  steps: [{ event: 'payment.voided', of: '${payment.id}', seconds: 10 }],
};
const EVENTS: PlainRequest = {
  method: 'GET',
  path: '/events?limit=50',
  headers: {},
  body: undefined,
  text: '',
};

interface Page {
  items: object[];
  paginationToken?: string;
}

const event = (id: string, createdTimestamp = NOW, data: object = DATA) => ({
  id,
  eventType: 'payment.voided',
  createdTimestamp,
  data,
});

/** A server whose events are these pages, by the token that asks for each. */
function serverWith(pages: Record<string, Page | undefined>) {
  const asked: string[] = [];
  const send = ({ path }: PlainRequest) => {
    const token = new URL(path, 'http://a').searchParams.get('startsAfter') ?? '';
    asked.push(token);
    const body = pages[token];
    const reply = { body, status: body ? 200 : 403, serverTime: undefined, contentType: undefined };
    return Promise.resolve({ reply });
  };
  const target: Target = { client: { send }, keys: { secret: 'k', public: undefined }, pollMs: 1 };
  return { target, asked };
}

/** The run of a scenario that has seen its event so many times. */
function runWith(times: number): Map<string, ScenarioRun> {
  const awaited = { request: EVENTS, eventType: 'payment.voided', data: JSON.stringify(DATA), times };
  const reply = { status: 200, body: event('ev_1'), serverTime: undefined, contentType: undefined };
  const observation = {
    step: 0,
    reply,
    atTimestamp: NOW,
    came: true,
    sentTexts: [],
    scope: [],
    event: awaited,
  };
  const run = { unique: 'a', startTimestamp: NOW, observations: [observation], replies: new Map() };
  return new Map([[SCENARIO.name, { ...run, stopped: undefined }]]);
}

async function lookAgain(here: Record<string, Page | undefined>, there: typeof here, seenThere = 1) {
  const [ours, theirs] = [serverWith(here), serverWith(there)];
  const runs = { here: runWith(1), there: runWith(seenThere) };
  const targets = { here: ours.target, there: theirs.target };
  const { found, unread } = await compareEventsAgain([SCENARIO], runs, targets);
  return { found: found.get(SCENARIO.name), unread, asked: theirs.asked };
}

const ONCE = { '': { items: [event('ev_1')] } };

test('events again: an event that one server has recorded once more by the end is a difference of its step', async () => {
  const { found } = await lookAgain(ONCE, { '': { items: [event('ev_2'), event('ev_1')] } });
  expect(found).toMatchObject([
    {
      scenario: 'payments/void',
      step: 0,
      kind: 'count',
      here: '1 that say the same',
      there: '2',
      place: 'rule',
    },
  ]);
});

test('events again: another state of the object is another event', async () => {
  const other = event('ev_2', NOW, { id: 'ps_1', status: 'Refunded' });
  expect(await lookAgain(ONCE, { '': { items: [other, event('ev_1')] } })).toMatchObject({
    found: undefined,
    unread: [],
  });
});

test('events again: a difference that was seen before is not said twice', async () => {
  const twice = { '': { items: [event('ev_2'), event('ev_1')] } };
  expect((await lookAgain(ONCE, twice, 2)).found).toBeUndefined();
});

test('events again: the pages are read back to the first scenario, and no further', async () => {
  const { found, asked } = await lookAgain(ONCE, {
    '': { items: [event('ev_3')], paginationToken: 'ev_3' },
    ev_3: { items: [event('ev_1'), event('ev_0', NOW - 100, { id: 'ps_0' })], paginationToken: 'ev_0' },
    ev_0: { items: [event('ev_x')] },
  });
  expect(found).toMatchObject([{ there: '2' }]);
  expect(asked).toEqual(['', 'ev_3']);
});

test('events again: an account that has more events than are read stays as it was seen', async () => {
  const endless = Object.fromEntries(
    Array.from({ length: 100 }, (_, page) => [
      page === 0 ? '' : `ev_${page}`,
      { items: [event(`ev_${page + 1}`)], paginationToken: `ev_${page + 1}` },
    ]),
  );
  const { found, unread, asked } = await lookAgain(ONCE, endless);
  expect([found, unread, asked.length]).toEqual([undefined, [SCENARIO.name], 60]);
});

test('events again: what cannot be read again stays as it was seen, and is named', async () => {
  expect(await lookAgain(ONCE, {})).toMatchObject({ found: undefined, unread: [SCENARIO.name] });
});
