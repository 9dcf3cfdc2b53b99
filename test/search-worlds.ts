import { expect } from 'vitest';
import { createLog } from '../protocol/log.ts';
import { findCardNumbers } from './kit/card-numbers.ts';
import { watchWorlds } from './kit/watched-worlds.ts';
import { textOf } from './kit/world-text.ts';

// Every world of the unit tests, whatever its test is about, is searched for card numbers before it ends: its log,
// its store, its events and webhooks, and what was recorded for the dashboard.
watchWorlds(() => {
  const lines: string[] = [];
  return {
    log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    began({ server }) {
      server.dashboard.recorder.listen((told) => {
        if ('entry' in told) lines.push(JSON.stringify(told.entry.show()));
      });
    },
    async look(world) {
      expect(findCardNumbers([...lines, await textOf(world)].join('\n'))).toEqual([]);
    },
  };
});
