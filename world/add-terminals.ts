import type { Fleet, FleetMember } from '../simulator/fleet.ts';

/** Adds exported terminals to the fleet of a world, and waits until those that can are online. */
export async function addTerminals(
  terminals: readonly FleetMember[],
  fleet: Fleet,
  until: (what: string, look: () => boolean) => Promise<unknown>,
): Promise<void> {
  if (terminals.length === 0) return;
  await Promise.all(terminals.map((member) => fleet.add(member)));
  const connects = terminals.filter(({ state }) => state?.power !== 'off' && state?.network !== 'off');
  await until('the terminals come online', () =>
    connects.every(({ terminalId }) => fleet.terminal(terminalId)?.online),
  );
  await fleet.controlled();
}
