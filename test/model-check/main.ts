import { parseArgs } from 'node:util';
import { monotonicMs } from '../../protocol/clock.ts';
import { explore, type Result } from './explore.ts';
import { KnownSteps } from './local-steps.ts';
import { PROPERTIES } from './properties.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { singleStepsOf } from './single-steps/single-steps.ts';

const USAGE = `npm run model-check -- [options]

Visits every state of the terminal's and the server's machines together, over a network that loses, delays and repeats
messages, takes each step by itself from the states of both sides, also with events that do not belong there, and says
which properties hold.

  --faults <n>    faults in one run; 1 by default
  --depth <n>     steps of one run; all states that there are by default
  --scenario <n>  only one scenario, by its number
  --mutants       change the machines and rules, and say which changes are caught; see --mutants --help
  --json          print the results as JSON
  --help          print this
`;

interface Timed extends Result {
  seconds: number;
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      faults: { type: 'string', default: '1' },
      depth: { type: 'string', default: 'Infinity' },
      scenario: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [faults, depth] = [Number(values.faults), Number(values.depth)];
  const numbers = SCENARIOS.map((_, index) => String(index + 1));
  const isKnown = values.scenario === undefined || numbers.includes(values.scenario);
  if (!Number.isInteger(faults) || faults < 0 || !(depth >= 1) || !isKnown) throw new Error(USAGE);
  return { ...values, faults, depth };
}

function textOf({ scenario, states, transitions, depth, complete, seconds, violations }: Timed): string {
  const reach = complete ? `all states, the farthest ${depth} steps away` : `to ${depth} steps`;
  const found = violations.flatMap(({ property, steps }) => [
    `  ${property} does not hold:`,
    ...steps.map((step, index) => `    ${index + 1}. ${step}`),
  ]);
  const lines = [
    `${scenario}: ${states} states, ${transitions} transitions, ${reach}, ${seconds.toFixed(1)} s`,
    ...found,
  ];
  return lines.join('\n');
}

interface TimedSteps {
  steps: number;
  seconds: number;
  violations: { property: string; step: string }[];
}

async function timedSingleSteps(known: ReadonlyMap<Scenario, KnownSteps>): Promise<TimedSteps> {
  const beginMs = monotonicMs();
  const { size, broken } = await singleStepsOf(known);
  const violations = [...broken].map(([property, step]) => ({ property, step }));
  return { steps: size, seconds: (monotonicMs() - beginMs) / 1000, violations };
}

function textOfSteps({ steps, seconds, violations }: TimedSteps): string {
  const found = violations.map(({ property, step }) => `  ${property} does not hold: ${step}`);
  return [`single steps from these states: ${steps}, ${seconds.toFixed(1)} s`, ...found].join('\n');
}

const options = readArguments();
if (options.help) console.log(USAGE);
else {
  const results: Timed[] = [];
  const known = new Map<Scenario, KnownSteps>();
  for (const [index, scenario] of SCENARIOS.entries()) {
    if (options.scenario !== undefined && options.scenario !== String(index + 1)) continue;
    const beginMs = monotonicMs();
    known.set(scenario, new KnownSteps());
    const result = await explore(scenario, options, { known: known.get(scenario) });
    results.push({ ...result, seconds: (monotonicMs() - beginMs) / 1000 });
    if (!options.json) console.log(textOf(results.at(-1)!));
  }
  const singleSteps = await timedSingleSteps(known);
  if (!options.json) console.log(textOfSteps(singleSteps));
  const broken = new Set([
    ...results.flatMap(({ violations }) => violations.map(({ property }) => property)),
    ...singleSteps.violations.map(({ property }) => property),
  ]);
  const properties = PROPERTIES.map(({ name, sentence }) => ({ name, sentence, holds: !broken.has(name) }));
  if (options.json) console.log(JSON.stringify({ results, singleSteps, properties }, null, 2));
  else for (const { holds, sentence } of properties) console.log(`${holds ? 'holds' : 'FAILS'}  ${sentence}`);
  process.exitCode = broken.size > 0 ? 1 : 0;
}
