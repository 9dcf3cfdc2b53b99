import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { packageRoot } from '../../protocol/package-root.ts';
import { oneOf } from '../command-line/command.ts';
import { readScenarios, type Scenario } from './scenario.ts';

/** Folder of the package, which holds the scenarios and `given.json`. */
const OWN_FOLDER = 'compare';

/** Reads the scenarios of this package, in the order of their names. */
function ownScenarios(): Scenario[] {
  return readScenarios(join(packageRoot(), OWN_FOLDER, 'scenarios'));
}

/** Returns what the texts of scenarios refer to as `given`, such as test cards. */
export function givenValues(): unknown {
  return parseOutsideJson(readFileSync(join(packageRoot(), OWN_FOLDER, 'given.json'), 'utf8'));
}

/**
 * Returns the scenarios that a command runs, each after those that it uses: all of this package and of a folder, or those
 * that are named by their area or by themselves.
 * @throws Fault `bad_setting` for a name that there is not, or that is there twice
 */
export function selectScenarios({
  scenarios: folder,
  only,
}: {
  scenarios: string | undefined;
  only: string | undefined;
}): Scenario[] {
  const all = [...ownScenarios(), ...(folder === undefined ? [] : readScenarios(folder))];
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Fault('bad_setting', `--scenarios ${folder}: there is a scenario ${twice} already`);
  const wanted = typedIn(only, names)?.flatMap(({ typed, ofArea }) =>
    ofArea.length > 0 ? ofArea : [oneOf('--only', names, typed)],
  );
  return inOrder(all, wanted ?? names);
}

/**
 * Returns the names of the scenarios that were asked for: those that are typed by themselves, and those of an area of
 * which none can be tried.
 */
export function askedFor(
  scenarios: readonly Scenario[],
  only: string | undefined,
  canBeTried: (scenario: Scenario) => boolean,
): string[] {
  const names = scenarios.map(({ name }) => name);
  const tried = scenarios.filter(canBeTried).map(({ name }) => name);
  const asked = typedIn(only, names)?.flatMap(({ typed, ofArea }) => {
    if (ofArea.length === 0) return [typed];
    return ofArea.some((name) => tried.includes(name)) ? [] : ofArea;
  });
  return asked ?? [];
}

/** Returns what is typed between commas, each with the names of its area: none where it is a scenario. */
function typedIn(
  only: string | undefined,
  names: readonly string[],
): { typed: string; ofArea: string[] }[] | undefined {
  return only
    ?.split(',')
    .map((name) => name.trim())
    .map((typed) => ({ typed, ofArea: names.filter((name) => name.startsWith(`${typed}/`)) }));
}

/** Returns scenarios by name, each after those that it uses. @throws Fault `bad_setting` for one that there is not */
function inOrder(all: readonly Scenario[], wanted: readonly string[]): Scenario[] {
  const ordered = new Set<Scenario>();
  const add = (name: string, users: readonly string[]): void => {
    const scenario = all.find((one) => one.name === name);
    if (!scenario || users.includes(name)) {
      const problem = scenario ? 'which uses it' : 'which there is not';
      throw new Fault('bad_setting', `the scenario ${users.at(-1)} uses ${name}, ${problem}`);
    }
    for (const used of scenario.uses ?? []) add(used, [...users, name]);
    ordered.add(scenario);
  };
  for (const name of wanted) add(name, []);
  return [...ordered];
}
