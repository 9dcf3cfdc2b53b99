import { Type } from '../../protocol/schema.ts';
import { differenceText } from '../compare/difference-text.ts';
import { PLACES } from '../compare/judge/difference.ts';
import { selectScenarios } from '../compare/select-scenarios.ts';
import { tool, wholeInput } from './tool.ts';

const SCENARIOS_MAX = 40;

const listScenarios = tool({
  name: 'list_scenarios',
  title: 'List scenarios of comparisons',
  description:
    'Lists the scenarios by which compare compares two servers: by default how many each area has, and those of one area by name.',
  inputs: {
    area: Type.Optional(
      Type.String({ maxLength: 60, description: 'Area whose scenarios are returned, such as customers' }),
    ),
    whole: wholeInput,
  },
  effect: 'read',
  run: async (_context, { area, whole = false }) => {
    const all = selectScenarios({ scenarios: undefined, only: undefined });
    const areaOf = (name: string) => name.split('/')[0]!;
    if (area !== undefined) {
      const own = all.filter(({ name }) => areaOf(name) === area);
      return { items: whole ? own : own.map(({ name, title }) => ({ name, title })) };
    }
    const areas = [...new Set(all.map(({ name }) => areaOf(name)))];
    return {
      items: areas.map((one) => ({
        area: one,
        scenarios: all.filter(({ name }) => areaOf(name) === one).length,
      })),
    };
  },
});

const compare = tool({
  name: 'compare',
  title: 'Compare with another server',
  description:
    'Runs scenarios here and at the server of --compare-to, with which tapbench mcp was started, and says where that one differs and what each difference means. It takes about a second for each scenario.',
  inputs: {
    only: Type.Array(Type.String({ maxLength: 120 }), {
      minItems: 1,
      maxItems: SCENARIOS_MAX,
      description: 'Names of scenarios, or of areas; list_scenarios has all',
    }),
    whole: wholeInput,
  },
  effect: 'each time',
  async run({ compare: run }, { only, whole = false }) {
    const judged = await run(only);
    if (whole) return judged;
    return {
      counts: judged.counts,
      differences: judged.differences.map((one) => ({
        place: PLACES[one.place],
        ...differenceText(one),
        concerns: one.concerns,
        scenarios: one.scenarios.length,
      })),
      choices: judged.choices.map(({ choice, verdict }) => ({ choice, verdict })),
      notShown: judged.results.flatMap(({ name, notShown }) =>
        notShown === null ? [] : [{ name, reason: notShown }],
      ),
    };
  },
});

export const COMPARE_TOOLS = [listScenarios, compare];
