import { messageOf } from '../../../protocol/failures.ts';
import { isObject, parseOutsideJson } from '../../../protocol/outside-json.ts';
import type { World } from '../../world/world.ts';
import { callPlace, type CallPlace } from '../../run-log/call-place.ts';
import type { HuntedFault } from '../hunted-fault.ts';
import { describeShopCall, distinctLines, linesOf, type ShopRequest } from './shop-call.ts';
import type { RecordedStep } from './story-step.ts';
import { describeActivity } from './described-activity.ts';

/** What happens in a world, as it happens. */
export interface StoryRecording {
  /**
   * Returns a `fetch` that records what the shop sends by it.
   * @param isCalledByShop whether the shop's own code calls it, of which the line is recorded
   * @param process name of its process beside the scenario; undefined for that of the scenario
   */
  recordCalls(
    fetch: typeof globalThis.fetch,
    isCalledByShop: boolean,
    process?: string,
  ): typeof globalThis.fetch;
  /** Records that the scenario has ended, or that it is left, since it waits for what never comes. */
  endScenario(ended: { isUnfinished: boolean; problem?: unknown }): void;
  /** Ends the recording. Returns what puts it into words. */
  end(): () => RecordedStep[];
}

/** A request of the shop. It is put into words when its story is asked for, which few are. */
interface RecordedCall {
  atMs: number;
  input: string | URL | Request;
  init: RequestInit | undefined;
  process: string | undefined;
  /** Where the shop's code called. */
  place: CallPlace;
  outcome: string;
}

/**
 * Records what a shop sends and what comes of it, until it is ended.
 * @param orderMember metadata member that names an order
 * @param plan the faults that strike
 * @param onStep called with the index of each step, just before a request of the shop is sent
 */
export function recordStory(
  { clock, watchServers }: Pick<World, 'clock' | 'watchServers'>,
  { orderMember, plan = [] }: { orderMember: string; plan?: readonly HuntedFault[] | undefined },
  onStep: (index: number) => void = () => {},
): StoryRecording {
  const startMs = clock.nowMs();
  const steps: (RecordedStep | RecordedCall)[] = [];
  let isOver = false;

  function add(step: RecordedStep | RecordedCall): void {
    if (isOver) return;
    steps.push(step);
    onStep(steps.length - 1);
  }
  const nowMs = () => clock.nowMs() - startMs;

  watchServers(({ services }) => {
    services.activities.listen('story of a hunt', (activity) => {
      const described = describeActivity(activity, plan);
      if (described) add({ atMs: nowMs(), ...described });
    });
  });
  return {
    recordCalls: (fetch, isCalledByShop, process) =>
      async function recorded(input, init) {
        const place = isCalledByShop ? callPlace(recorded) : {};
        const call: RecordedCall = { atMs: nowMs(), input, init, process, place, outcome: 'no reply' };
        add(call);
        const reply = await fetch(input, init);
        call.outcome = `${reply.status}`;
        // Not awaited: what the shop does must not wait for it, nor fail with it.
        if (!reply.ok) void codeOf(reply.clone()).then((code) => (call.outcome += code), ignore);
        return reply;
      },
    endScenario({ isUnfinished, problem }) {
      const text = isUnfinished
        ? 'the scenario has not ended'
        : problem === undefined
          ? 'the scenario returns'
          : `the scenario throws: ${messageOf(problem)}`;
      add({ atMs: nowMs(), who: 'shop', text, kind: text, isRead: false, isEnd: true });
    },
    end() {
      isOver = true;
      return () => describeSteps(steps, orderMember);
    },
  };
}

function describeSteps(steps: readonly (RecordedStep | RecordedCall)[], orderMember: string): RecordedStep[] {
  const calls = steps.flatMap((step) => ('place' in step ? [step] : []));
  const described = calls.map((call) => ({
    ...describeShopCall(requestOf(call.input, call.init), orderMember),
    lines: linesOf(call.place),
  }));
  const lines = distinctLines(described);
  return steps.map((step) => {
    if (!('place' in step)) return step;
    const index = calls.indexOf(step);
    const { operation, text } = described[index]!;
    const line = lines[index];
    return {
      atMs: step.atMs,
      who: 'shop',
      text: `${step.process === undefined ? '' : `${step.process}: `}${text}: ${step.outcome}`,
      kind: operation,
      isRead: operation.startsWith('GET '),
      ...(step.process !== undefined && { process: step.process }),
      ...(line !== undefined && { line }),
    };
  });
}

function requestOf(input: string | URL | Request, init: RequestInit = {}): ShopRequest {
  const request = input instanceof Request ? input : undefined;
  const { body: sent } = init;
  const text = sent instanceof Uint8Array ? Buffer.from(sent).toString() : sent;
  const body = typeof text === 'string' ? parsed(text) : undefined;
  const url = request?.url ?? String(input);
  // A shop may ask for an address that is none.
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return { method: init.method ?? request?.method ?? 'GET', path, body };
}

function parsed(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    return undefined;
  }
}

const ignore = () => {};

/** Returns the code of the error in a reply, after a space; empty without one. */
async function codeOf(reply: Response): Promise<string> {
  const body = parsed(await reply.text());
  const [first] = isObject(body) && Array.isArray(body['errors']) ? body['errors'] : [];
  return isObject(first) && typeof first['code'] === 'string' ? ` ${first['code']}` : '';
}
