import { expect } from 'vitest';
import { createLog } from '../protocol/log.ts';
import { findCardNumbers } from './kit/card-numbers.ts';
import { useWorldHooks } from '../testing/world/world-options.ts';
import { worldText } from './kit/world-text.ts';

// Every world of the unit tests, whatever its test is about, is searched for card numbers before it ends: its log,
// its store, its events and webhooks, and what was recorded for the dashboard.
useWorldHooks(() => {
  const lines: string[] = [];
  return {
    log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    onStart({ server }) {
      server.dashboard.timelineLog.listen('search for card numbers', (told) => {
        if ('entry' in told) lines.push(JSON.stringify(told.entry.show()));
      });
    },
    async beforeClose(world) {
      expect(findCardNumbers([...lines, await worldText(world)].join('\n'))).toEqual([]);
    },
  };
});
