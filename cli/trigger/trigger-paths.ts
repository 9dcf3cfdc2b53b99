import { type EventType, whenRecorded } from '../../server/api/webhooks/event-types.ts';
import { ACCOUNT_PATHS } from './account-paths.ts';
import { CUSTOMER_PATHS, SUBSCRIPTION_PATHS } from './subscription-paths.ts';
import { DISPUTE_PATHS, PAYMENT_PATHS, TERMINAL_PATHS } from './payment-paths.ts';
import { MONEY_PATHS } from './money-paths.ts';
import type { TriggerPath, Step } from './trigger-path.ts';

/** The path to every event type. Each makes calls of `/v1` and `/sandbox` only. */
export const TRIGGER_PATHS: Record<EventType, TriggerPath> = {
  ...PAYMENT_PATHS,
  ...ACCOUNT_PATHS,
  ...MONEY_PATHS,
  ...CUSTOMER_PATHS,
  ...SUBSCRIPTION_PATHS,
  ...DISPUTE_PATHS,
  ...TERMINAL_PATHS,
};

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
