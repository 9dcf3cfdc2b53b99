import { isObject, parseOutsideJson } from '../../../protocol/outside-json.ts';
import type { World } from '../../world/world.ts';
import {
  describeShopCall,
  linesOf,
  placeBefore,
  tellingLines,
  type Place,
  type ShopRequest,
} from './shop-call.ts';
import type { RecordedStep } from './story-step.ts';
import { tellActivity } from './told-activity.ts';

/** What happens in a world, as it happens. */
export interface StoryRecording {
  /**
   * Returns a `fetch` that records what the shop sends by it.
   * @param isCalledByShop whether the shop's own code calls it, of which the line is recorded
   */
  recordCalls(fetch: typeof globalThis.fetch, isCalledByShop: boolean): typeof globalThis.fetch;
  /** Ends the recording. Returns what puts it into words. */
  end(): () => RecordedStep[];
}

/** A request of the shop. It is put into words when its story is told, which few are. */
interface RecordedCall {
  atMs: number;
  input: string | URL | Request;
  init: RequestInit | undefined;
  /** Where the shop's code called. */
  place: Place;
  outcome: string;
}

/**
 * Records what a shop sends and what comes of it, until it is ended.
 * @param orderMember metadata member that names an order
 */
export function recordStory(
  { clock, watchServers }: Pick<World, 'clock' | 'watchServers'>,
  orderMember: string,
): StoryRecording {
  const startMs = clock.nowMs();
  const steps: (RecordedStep | RecordedCall)[] = [];
  let isOver = false;

  function add(step: RecordedStep | RecordedCall): void {
    if (!isOver) steps.push(step);
  }
  const nowMs = () => clock.nowMs() - startMs;

  watchServers(({ services }) => {
    services.activities.listen('story of a hunt', (activity) => {
      const told = tellActivity(activity);
      if (told) add({ atMs: nowMs(), ...told });
    });
  });
  return {
    recordCalls: (fetch, isCalledByShop) =>
      async function recorded(input, init) {
        const place = isCalledByShop ? placeBefore(recorded) : {};
        const call: RecordedCall = { atMs: nowMs(), input, init, place, outcome: 'no reply' };
        add(call);
        const reply = await fetch(input, init);
        call.outcome = `${reply.status}`;
        // Not awaited: what the shop does must not wait for it.
        if (!reply.ok) void codeOf(reply.clone()).then((code) => (call.outcome += code));
        return reply;
      },
    end() {
      isOver = true;
      return () => toldSteps(steps, orderMember);
    },
  };
}

function toldSteps(steps: readonly (RecordedStep | RecordedCall)[], orderMember: string): RecordedStep[] {
  const calls = steps.flatMap((step) => ('place' in step ? [step] : []));
  const told = calls.map((call) => ({
    ...describeShopCall(requestOf(call.input, call.init), orderMember),
    lines: linesOf(call.place),
  }));
  const lines = tellingLines(told);
  return steps.map((step) => {
    if (!('place' in step)) return step;
    const index = calls.indexOf(step);
    const { operation, text } = told[index]!;
    const line = lines[index];
    return {
      atMs: step.atMs,
      who: 'shop',
      text: `${text}: ${step.outcome}`,
      deed: operation,
      isRead: operation.startsWith('GET '),
      ...(line !== undefined && { line }),
    };
  });
}

function requestOf(input: string | URL | Request, init: RequestInit = {}): ShopRequest {
  const request = input instanceof Request ? input : undefined;
  const { body: sent } = init;
  const text = sent instanceof Uint8Array ? Buffer.from(sent).toString() : sent;
  const body = typeof text === 'string' ? parsed(text) : undefined;
  return {
    method: init.method ?? request?.method ?? 'GET',
    url: new URL(request?.url ?? String(input)),
    body,
  };
}

function parsed(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the code of the error in a reply, after a space; empty without one. */
async function codeOf(reply: Response): Promise<string> {
  const body = parsed(await reply.text());
  const [first] = isObject(body) && Array.isArray(body['errors']) ? body['errors'] : [];
  return isObject(first) && typeof first['code'] === 'string' ? ` ${first['code']}` : '';
}
