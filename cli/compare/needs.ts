import { keysOf } from '../../protocol/tables.ts';
import type { Scenario } from './scenario.ts';

/** What texts call the address at which the deliveries of a server arrive. */
export const RECEIVER = 'receiver';

/** What scenarios may need beside a secret key, and how it is given. */
const NEEDS = {
  hands: '--hands',
  receiver: '--receiver',
  publicKey: 'COMPARE_PUBLIC_KEY',
} as const;
export type Need = keyof typeof NEEDS;

/** In the order in which they are said. */
export const NEED_NAMES = keysOf(NEEDS);

const REASONS: Record<Need, string> = {
  hands: 'it needs a person: run with --hands on a terminal',
  receiver: 'it needs deliveries: run with --receiver',
  publicKey: 'it needs the public key: set COMPARE_PUBLIC_KEY',
};

/** Says why a scenario was not tried. */
export const reasonOfNeed = (need: Need): string => REASONS[need];

/** Returns what a scenario needs, or one that it uses, and was not given; undefined when it can be tried. */
export function needOf(
  scenario: Scenario,
  scenarios: readonly Scenario[],
  given: Readonly<Record<Need, boolean>>,
): Need | undefined {
  const own = NEED_NAMES.find((need) => !given[need] && isNeeded(need, scenario));
  if (own !== undefined) return own;
  const used = scenarios.filter(({ name }) => scenario.uses?.includes(name));
  return used.map((one) => needOf(one, scenarios, given)).find((need) => need !== undefined);
}

function isNeeded(need: Need, { hand, steps }: Scenario): boolean {
  if (need === 'hands') return hand !== undefined;
  if (need === 'publicKey') return steps.some((step) => 'key' in step && step.key === 'public');
  return steps.some((step) => 'delivery' in step || JSON.stringify(step).includes(`\${${RECEIVER}`));
}

/** Returns how many scenarios need what: `15 need --hands, 1 needs --receiver`. */
export function needsText(needs: readonly Need[]): string {
  return NEED_NAMES.flatMap((need) => {
    const count = needs.filter((one) => one === need).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? 'needs' : 'need'} ${NEEDS[need]}`];
  }).join(', ');
}
