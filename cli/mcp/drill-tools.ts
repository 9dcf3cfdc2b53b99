import { Type } from '../../protocol/schema.ts';
import { faultLine } from '../../server/platform/faults/fault-words.ts';
import { DRILLS } from '../drills/drills.ts';
import { tool, wholeInput } from './tool.ts';

const listDrills = tool({
  name: 'list_drills',
  title: 'List drills',
  description:
    'Lists the drills: named faults under which a careless shop loses money. play_drill plays one.',
  inputs: { whole: wholeInput },
  effect: 'read',
  run: async (_context, { whole = false }) => ({
    items: Object.entries(DRILLS).map(([name, { play: _play, ...drill }]) =>
      whole ? { name, ...drill } : { name, title: drill.title, onTerminal: drill.onTerminal },
    ),
  }),
});

const playDrill = tool({
  name: 'play_drill',
  title: 'Play a drill',
  description:
    'Plays a drill in a new sandbox, which takes some seconds, and judges whether money was lost: moneyWasLost is null where that could not be found out, and inconclusive says why. wrong and right are built-in shops; own is the shop with which tapbench mcp was started (--shop).',
  inputs: {
    name: Type.Enum(Object.keys(DRILLS), { description: 'Name of the drill; list_drills has all' }),
    integration: Type.Enum(['wrong', 'right', 'own'], { description: 'The shop that sells' }),
    whole: wholeInput,
  },
  effect: 'each time',
  async run({ shopRuns }, { name, integration, whole = false }) {
    const { payments, steps, ...result } = await shopRuns.playDrill(name, integration);
    const { title, right, page, faults } = DRILLS[name]!;
    return {
      moneyWasLost: result.verdict !== null || (result.inconclusive === null ? false : null),
      ...result,
      drill: { name, title, faults: faults.map(faultLine), right, page: `docs/${page}` },
      story: steps.map(({ who, text }) => `${who}: ${text}`),
      ...(whole && { payments }),
    };
  },
});

const hunt = tool({
  name: 'hunt',
  title: 'Hunt for lost money',
  description:
    'Tries plans of faults on the shop with which tapbench mcp was started (--shop), each in a sandbox of its own, until its books and the money disagree. Returns the smallest such plan, what happened, and the file of its trace, which read_trace reads. It needs no server.',
  inputs: {
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 600, description: 'Time to spend at most; 30 by default' }),
    ),
    plans: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Plans to try at most; 1000 by default' }),
    ),
    maxFaults: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'Faults of a plan at most; 3 by default' }),
    ),
    seed: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The same seed tries the same plans' }),
    ),
  },
  effect: 'each time',
  run: ({ shopRuns }, { seconds = 30, plans = 1_000, maxFaults = 3, seed = '1' }) =>
    shopRuns.hunt({ seconds, plans, maxFaults, seed }),
});

export const DRILL_TOOLS = [listDrills, playDrill, hunt];
