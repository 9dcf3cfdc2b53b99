import type { Scenario, Step } from '../scenario.ts';
import type { Found, Place } from './difference.ts';

interface Placed {
  place: Place;
  /** Ids of the rules, headings of the choices, or names of the extensions that it concerns. */
  concerns: string[];
}

/** What a scenario says of a difference. */
interface Shown {
  step: Step;
  scenario: Pick<Scenario, 'rules' | 'choices'>;
  /** Whether the other server refuses, and whether ours does. */
  isRefused: { here: boolean; there: boolean };
}

/**
 * Returns where a difference of one scenario belongs: to the first of these that it can.
 *
 * 1. *an extension*: ours alone has a member that our documents mark as an extension;
 * 2. *a choice refuted*: the step says that the choice decides just this member;
 * 3. what holds of all operations alike, see `CONVENTIONS`;
 * 4. *new at the service*: only the other server has a member that our documents do not know;
 * 5. *a choice refuted*: the step says that the choice decides what the member is in, the refusal, or all that it gets;
 * 6. *a choice refuted*: the scenario shows choices alone;
 * 7. *a rule broken*: the scenario shows rules, and the specification does not leave the difference open;
 * 8. *a documented fact wrong*: nothing else. It is what docs/openapi.json says of the operation.
 */
export function placeOfDifference(found: Found, shown: Shown): Placed {
  const { extension, kind, member } = found;
  const { rules, choices } = shown.scenario;
  if (kind === 'missing' && extension !== null) return { place: 'extension', concerns: [extension] };
  const said = choiceOf(found, shown);
  if (said?.decides === member) return { place: 'choice', concerns: [said.choice] };
  const convention = CONVENTIONS.find(({ isIt }) => isIt(found, nameOf(found)));
  if (convention) return convention.placed(found);
  if (isNew(found)) return { place: 'new', concerns: [] };
  if (said) return { place: 'choice', concerns: [said.choice] };
  if (rules.length === 0 && choices.length > 0) return { place: 'choice', concerns: [...choices] };
  if (rules.length === 0 || isLeftOpen(found, shown)) return { place: 'fact', concerns: [] };
  return { place: 'rule', concerns: [...rules] };
}

const REFUSAL = 'refusal';

interface Said {
  choice: string;
  /** The member, the refusal, or undefined for all that the step gets. */
  decides: string | undefined;
}

/** Returns the choice that a step names for a difference: that of the longest path which leads to it. */
function choiceOf({ kind, member }: Found, { step, isRefused: { here, there } }: Shown): Said | undefined {
  const choice = 'choice' in step ? step.choice : undefined;
  if (choice === undefined) return undefined;
  if (typeof choice === 'string') return { choice, decides: undefined };
  const isOfRefusal = there && (here || kind === 'status');
  const names = Object.keys(choice).filter((name) =>
    isOfRefusal ? name === REFUSAL : member === name || member.startsWith(`${name}.`),
  );
  const decides = names.toSorted((one, other) => other.length - one.length)[0];
  return decides === undefined ? undefined : { choice: choice[decides]!, decides };
}

/** The specification shows no status codes, and of refusals neither codes nor bodies: only that the field is named. */
function isLeftOpen({ kind, member }: Found, { isRefused: { here, there } }: Shown): boolean {
  if (kind === 'status') return here === there;
  return kind === 'content' || (here && there && member !== 'errors.*.message');
}

const nameOf = ({ member }: Found) => member.split('.').at(-1) ?? '';

function isNew({ kind, isUnknown, here }: Found): boolean {
  return isUnknown && here === 'absent' && (kind === 'added' || kind === 'null');
}

/** Milliseconds of our time are more than this, seconds less. */
const SECONDS_MAX = 100_000_000_000;
const LIST = ['items', 'paginationToken'];
/** Members that are never shown, and the rule that says so, where there is one for them. */
const PRIVATE: [member: RegExp, rules: string[]][] = [
  [/(^|\.)(accountNumber|iban)$/i, ['2.5/account-number-private']],
  [/(^|\.)clientSecret$/, ['2.2/client-secret-private']],
  [/(^|\.)secretKey$/, ['5/key-private']],
  [/(secret|password|cvc|cardNumber|card(Details)?\.number)$/i, []],
];
const privateRulesOf = (member: string) => PRIVATE.find(([members]) => members.test(member))?.[1];

const ruleOf = (rule: string) => (): Placed => ({ place: 'rule', concerns: [rule] });

/** What the specification says of every operation, and what we do alike in every one. */
const CONVENTIONS: { isIt(found: Found, name: string): boolean; placed(found: Found): Placed }[] = [
  {
    isIt: (found) => isNew(found) && privateRulesOf(found.member) !== undefined,
    placed: ({ member }) => ({ place: 'rule', concerns: [...(privateRulesOf(member) ?? [])] }),
  },
  {
    isIt: ({ kind, there }, name) =>
      name.endsWith('Timestamp') &&
      (kind === 'type' || kind === 'form' || (kind === 'time' && Number(there) > SECONDS_MAX)),
    placed: ruleOf('2.1/timestamps'),
  },
  {
    isIt: ({ kind }, name) => /^id$|Id$/.test(name) && (kind === 'type' || kind === 'form'),
    placed: ruleOf('2.1/id-prefixes'),
  },
  {
    isIt: ({ kind, there }, name) =>
      /amount$/i.test(name) && (kind === 'type' || (kind === 'value' && !Number.isInteger(Number(there)))),
    placed: ruleOf('2.1/amounts'),
  },
  {
    isIt: ({ kind, member }) => LIST.includes(member) && ['missing', 'null', 'type'].includes(kind),
    placed: ruleOf('2.1/list-shape'),
  },
  {
    isIt: ({ kind, member }) => member === 'paginationToken' && kind === 'form',
    placed: () => ({ place: 'choice', concerns: ['api#pages'] }),
  },
];
