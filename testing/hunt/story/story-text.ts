import { describeOrderMoney, type OrderMoney } from './order-money.ts';
import type { StoryStep } from './story-step.ts';

/** What happened, and what came of it. */
export interface Story {
  story: readonly StoryStep[];
  orders: readonly OrderMoney[];
}

/** Returns a story as lines of text, in columns: its steps, then the money of each order beside its books. */
export function describeStory({ story, orders }: Story): string[] {
  const times = story.map(({ atMs }) => `${(atMs / 1000).toFixed(1)} s`);
  const widest = Math.max(0, ...times.map(({ length }) => length));
  const steps = story.map(({ who, text, line }, index) => {
    const at = line === undefined ? '' : `  at ${line}`;
    return `${times[index]!.padStart(widest)}  ${who.padEnd(WHO_COLUMNS)}  ${text}${at}`;
  });
  return [...steps, ...orders.map(describeOrderMoney)];
}

const WHO_COLUMNS = 'terminal'.length;
