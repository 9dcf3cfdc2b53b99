import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode, messageOf } from '../../../protocol/failures.ts';
import { parseOutsideJson } from '../../../protocol/outside-json.ts';
import { checker, Type } from '../../../protocol/schema.ts';
import { makeFolder } from '../../../protocol/system/make-folder.ts';
import { keysOf } from '../../../protocol/tables.ts';
import { CUT_POINTS } from '../../../server/platform/faults/cut-points.ts';
import { FaultInput } from '../../../server/platform/faults/fault-plan.schema.ts';
import { STOP_NAMES } from '../hunted-fault.ts';
import { NAMES, type ExampleFault, type ExamplePlan } from './example-plan.ts';

/** What a file of examples has: the plans that hunts have found, the first found first. */
interface ExampleFile {
  format: 'tapbench hunts';
  version: 1;
  plans: { verdict: string; faults: ExamplePlan }[];
}

const BYTES_MAX = 1_000_000;
/** Each is tried in each hunt. */
const PLANS_MAX = 200;
const FAULTS_MAX = 20;
const NTH_MAX = 1_000_000;
const DOWN_MS_MAX = 24 * 3_600_000;
const STRICT = { additionalProperties: false };

const Text = Type.String({ minLength: 1, maxLength: 200 });
const Nth = Type.Integer({ minimum: 1, maximum: NTH_MAX });
const IntegratorInput = Type.Object(
  {
    at: Type.Literal('integrator'),
    what: Type.Enum([...STOP_NAMES]),
    when: Type.Object({ nth: Nth }, STRICT),
    process: Type.Optional(Text),
    downMs: Type.Optional(Type.Integer({ minimum: 0, maximum: DOWN_MS_MAX })),
  },
  STRICT,
);
const BeginningInput = Type.Object(
  {
    at: Type.Enum([...keysOf(CUT_POINTS), 'integrator']),
    ...Object.fromEntries(NAMES.map((name) => [name, Type.Optional(Text)])),
    nth: Nth,
  },
  STRICT,
);

const problemsOfPlan = checker(
  Type.Array(Type.Object({ at: Type.String(), after: Type.Optional(BeginningInput) }), {
    minItems: 1,
    maxItems: FAULTS_MAX,
  }),
);
const problemsOfServerFault = checker(FaultInput);
const problemsOfStop = checker(IntegratorInput);
const problemsOfFile = checker(
  Type.Object(
    {
      format: Type.Literal('tapbench hunts'),
      version: Type.Literal(1),
      plans: Type.Array(
        Type.Object(
          { verdict: Type.String({ maxLength: 2_000 }), faults: Type.Array(Type.Unknown()) },
          STRICT,
        ),
        { maxItems: PLANS_MAX },
      ),
    },
    STRICT,
  ),
);

/** @throws Error that names what is wrong with a plan, which may come from outside */
export function assertExample(faults: unknown, where: string): asserts faults is ExamplePlan {
  const problem = problemsOfPlan(faults)[0];
  if (problem) throw new Error(`${where}${dotted(problem.path)} ${problem.message}`);
  for (const [index, { after: _after, ...fault }] of Object.entries<ExampleFault>(Object(faults))) {
    const [found] = fault.at === 'integrator' ? problemsOfStop(fault) : problemsOfServerFault(fault);
    if (found) throw new Error(`${where}.${index}${dotted(found.path)} ${found.message}`);
  }
}

const dotted = (path: string) => (path === '' ? '' : `.${path}`);

/**
 * Reads the plans of a file; none where there is no file yet.
 * @throws Error that names the file and what is wrong with it
 */
export function readExamples(file: string | URL): ExampleFile['plans'] {
  const path = pathOf(file);
  const text = textOf(path);
  if (text === undefined) return [];
  let content: unknown;
  try {
    content = parseOutsideJson(text);
  } catch (thrown) {
    throw new Error(`hunt: ${path} is no JSON: ${messageOf(thrown)}`, { cause: thrown });
  }
  const problem = problemsOfFile(content)[0];
  if (problem) throw new Error(`hunt: ${path}: ${problem.path || 'it'} ${problem.message}`);
  const { plans } = content as ExampleFile;
  for (const [index, { faults }] of plans.entries())
    assertExample(faults, `hunt: ${path}: plans.${index}.faults`);
  return plans;
}

/**
 * Adds a plan to a file, which it creates, unless it has it. Returns the path of the file.
 * @throws Error when it cannot be written, or is full
 */
export function addExample(
  file: string | URL,
  { verdict, faults }: { verdict: string; faults: ExamplePlan },
): string {
  const known = readExamples(file);
  const isKnown = known.some((plan) => JSON.stringify(plan.faults) === JSON.stringify(faults));
  const path = pathOf(file);
  if (isKnown) return path;
  if (known.length >= PLANS_MAX) throw new Error(`it has ${PLANS_MAX} plans already`);
  const plans = [...known, { verdict: verdict.slice(0, 2_000), faults }];
  const content: ExampleFile = { format: 'tapbench hunts', version: 1, plans };
  makeFolder(dirname(path));
  writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
  return path;
}

function textOf(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    if (size > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX} bytes`);
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw new Error(`hunt: ${path} cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function pathOf(file: string | URL): string {
  return typeof file === 'string' ? file : fileURLToPath(file);
}
