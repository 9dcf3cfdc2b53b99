import { expect, test } from 'vitest';
import { silentLog } from '../../../../../protocol/log.ts';
import { createObservers } from '../../../../../server/platform/observers.ts';
import { createActivities, type Activity } from '../../../../../server/platform/activities.ts';
import { emitCall } from '../../../../../server/platform/http/calls/emit-call.ts';
import { Refusal } from '../../../../../server/platform/http/refusals.ts';
import { ReplyText } from '../../../../../server/platform/http/pages/reply-text.ts';
import { route } from '../../../../../server/platform/http/route.ts';
import { SETTINGS } from '../../../../../testing/world/world-options.ts';
import { Type } from '../../../../../protocol/schema.ts';

const createRoute = route({
  operation: 'POST /things',
  tag: 'Thing',
  summary: 'Create a thing',
  section: 'Spec §1',
  reply: Type.Object({}),
  handle: async () => ({}),
});

/** Begins a call, ends it with `end`, and returns the activity of its end as a listener reads it. */
function answeredActivity(end: (call: ReturnType<typeof emitCall>) => void) {
  const heard: Activity[] = [];
  const observers = createObservers({ log: silentLog, clock: { nowMs: () => 0 } });
  const activities = createActivities(observers);
  activities.listen('test', (activity) => heard.push(activity));
  end(
    emitCall({ activities, observers, settings: SETTINGS }, createRoute, {
      url: '/v1/things?a=1',
      params: {},
    }),
  );
  const [began, answered] = heard;
  if (began?.kind !== 'call.began' || answered?.kind !== 'call.answered') throw new Error('other activities');
  expect(answered.call).toBe(began.call);
  const { status, body, reply, objectId, actionId } = answered;
  return { path: answered.call.path, status, body, reply: reply(), objectId, actionId };
}

test('call activity: body and reply are masked, and the reply is the text that is sent', () => {
  const value = { id: 'th_1', action: { id: 'ac_1' }, dropped: true };
  const text = '{"id":"th_1","action":{"id":"ac_1"},"clientSecret":"th_1_secret_x"}';
  expect(answeredActivity((call) => call.answered({ cvc: '123', amount: 5 }, value, text))).toEqual({
    path: '/v1/things',
    status: 200,
    body: { cvc: '··', amount: 5 },
    reply: { id: 'th_1', action: { id: 'ac_1' }, clientSecret: '··' },
    objectId: 'th_1',
    actionId: 'ac_1',
  });
});

test('call activity: a reply that was written before names its object', () => {
  const text = '{"id":"th_2"}';
  expect(answeredActivity((call) => call.answered({}, new ReplyText(text, 'th_2'), text))).toMatchObject({
    reply: { id: 'th_2' },
    objectId: 'th_2',
    actionId: null,
  });
});

test('call activity: a refusal has its status and its envelope, a fault has 500', () => {
  const refused = answeredActivity((call) => call.failed({}, new Refusal('not_json')));
  expect(refused).toMatchObject({
    status: 400,
    reply: { errors: [{ code: expect.any(String) }] },
    objectId: null,
  });
  expect(answeredActivity((call) => call.failed({}, new Error('x')))).toMatchObject({
    status: 500,
    reply: null,
  });
});
