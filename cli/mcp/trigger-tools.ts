import { Type } from '../../protocol/schema.ts';
import { EVENT_TYPE_NAMES, whenRecorded } from '../../server/api/webhooks/event-types.ts';
import { parseMemberChange } from '../trigger/member-change.ts';
import type { StepRunner } from '../trigger/run-step.ts';
import { triggerEvent as runTrigger } from '../trigger/trigger-event.ts';
import { sandboxInput, tool } from './tool.ts';

const listEventTypes = tool({
  name: 'list_event_types',
  title: 'List event types',
  description: 'Lists the types of webhook events, each with when it is sent.',
  inputs: {},
  effect: 'read',
  run: async () => ({
    eventTypes: EVENT_TYPE_NAMES.map((eventType) => ({ eventType, when: whenRecorded(eventType) })),
  }),
});

const triggerEvent = tool({
  name: 'trigger_event',
  title: 'Trigger an event',
  description:
    'Makes a webhook event of a type happen by the calls that lead to it: creates what it needs, takes payments, and advances the clock where that is part of the way. Returns the event.',
  inputs: {
    eventType: Type.Enum([...EVENT_TYPE_NAMES], { description: 'list_event_types has all' }),
    set: Type.Optional(
      Type.Array(Type.String({ maxLength: 500 }), {
        maxItems: 20,
        description:
          'Members of the call that makes it happen, such as ["amount=1742"], or of another step of its path by name, such as ["session:currency=EUR"]. Values of numbers, lists and objects are JSON.',
      }),
    ),
    sandbox: sandboxInput,
  },
  effect: 'each time',
  run(context, { eventType, set = [], sandbox }) {
    const runner: StepRunner = {
      send: ({ method, path, account, body }) => context.api(sandbox, account).ask(method, path, body),
      pause: context.pause,
    };
    return runTrigger(runner, { eventType, changes: set.map(parseMemberChange) }, context.unique());
  },
});

export const TRIGGER_TOOLS = [listEventTypes, triggerEvent];
