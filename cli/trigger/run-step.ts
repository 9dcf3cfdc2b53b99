import { Fault } from '../../protocol/failures.ts';
import { refused, type Method } from '../client/api-client.ts';
import type { AdvanceStep, FindStep, Json, Operation, RequestStep, Step, WaitStep } from './trigger-path.ts';

interface SentRequest {
  method: Method;
  path: string;
  /** Undefined for the holder of the key. */
  account: string | undefined;
  body: Json | undefined;
}

/** What a path needs of its surroundings. */
export interface StepRunner {
  /** Sends a request and returns its reply, whatever its status. */
  send(request: SentRequest): Promise<{ status: number; body: unknown }>;
  /** Waits, milliseconds of real time. */
  pause(ms: number): Promise<void>;
}

const POLL_MS = 250;
const POLLS_MAX = 60;

/**
 * Runs a step whose references are filled, and returns its reply.
 * @throws Fault `server_answer` when the server refuses, `bad_setting` when nothing is found, `timed_out` when nothing
 * changes
 */
export function runStep(runner: StepRunner, step: Step, account: string | undefined): Promise<unknown> {
  if ('request' in step) return request(runner, step.request, account, step.body);
  if ('find' in step) return find(runner, step, account);
  if ('wait' in step) return wait(runner, step, account);
  return advance(runner, step);
}

/** Sends a request and returns the body of its reply. @throws Fault `server_answer` when the server refuses */
export async function request<Reply>(
  runner: StepRunner,
  operation: Operation,
  account: string | undefined,
  body?: RequestStep['body'],
): Promise<Reply> {
  const [method, path] = operation.split(' ') as [Method, string];
  const answer = await runner.send({ method, path, account, body });
  if (answer.status === 200 || answer.status === 202) return answer.body as Reply;
  throw new Fault('server_answer', `${operation}: ${refused(method, path, answer).message}`);
}

/** Calls a function until it returns something; undefined when it does not within 15 seconds. */
export async function poll<T>(
  { pause }: StepRunner,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const found = await check();
    if (found !== undefined) return found;
    await pause(POLL_MS);
  }
  return undefined;
}

async function find(runner: StepRunner, step: FindStep, account: string | undefined): Promise<unknown> {
  const { items } = await request<{ items: object[] }>(runner, step.find, account);
  const found = items.find((item) => hasMembers(item, step.where));
  if (found) return found;
  throw new Fault('bad_setting', step.missing);
}

async function wait(
  runner: StepRunner,
  { wait: operation, until }: WaitStep,
  account: string | undefined,
): Promise<unknown> {
  const found = await poll(runner, async () => {
    const object = await request<object>(runner, operation, account);
    return hasMembers(object, until) ? object : undefined;
  });
  if (found) return found;
  throw new Fault('timed_out', `${operation} did not become ${JSON.stringify(until)}`);
}

function hasMembers(object: object, members: Record<string, Json>): boolean {
  return Object.entries(members).every(
    ([name, value]) => (object as Record<string, unknown>)[name] === value,
  );
}

async function advance(runner: StepRunner, { advanceTo }: AdvanceStep): Promise<unknown> {
  const { nowTimestamp } = await request<{ nowTimestamp: number }>(runner, 'GET /sandbox/clock', undefined);
  const seconds = Math.max(1, Number(advanceTo) - nowTimestamp);
  return request(runner, 'POST /sandbox/clock/advance', undefined, { seconds });
}
