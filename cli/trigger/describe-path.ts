import { whenRecorded, type EventType } from '../../server/api/webhooks/event-types.ts';
import type { Step } from './trigger-path.ts';
import { TRIGGER_PATHS } from './trigger-paths.ts';

interface DescribedPath {
  eventType: EventType;
  /** When the event is recorded: `a capture succeeded`. */
  when: string;
  /** `main` is set on the step that creates the object of the event; `calls` are as `POST /v1/payment-sessions`. */
  steps: { name: string; main: boolean; calls: string[] }[];
}

/** Describes the calls that make an event type happen. */
export function describePath(eventType: EventType): DescribedPath {
  const { steps, main } = TRIGGER_PATHS[eventType];
  return {
    eventType,
    when: whenRecorded(eventType),
    steps: steps.map((step) => ({ name: step.name, main: step.name === main, calls: callsOf(step) })),
  };
}

function callsOf(step: Step): string[] {
  if ('request' in step) return [step.request];
  if ('wait' in step) return [step.wait];
  if ('find' in step) return [step.find];
  return ['GET /sandbox/clock', 'POST /sandbox/clock/advance'];
}
