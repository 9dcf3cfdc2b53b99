import {
  accountLinkIn,
  challengeIn,
  completeAccount,
  passChallenge,
} from '../../../cli/compare/browser-hands.ts';
import type { SimulatedTerminal } from '../../../simulator/simulated-terminal.ts';
import type { World } from '../../../testing/world/world.ts';

/** Returns what does in a world what a scenario asks a person for; it returns false for what it cannot do. */
export function personAt(world: World, terminal: SimulatedTerminal): (text: string) => Promise<boolean> {
  return async (text) => {
    if (/^(?:Present no card|Leave terminal|Terminal )/.test(text)) return true;
    if (text.startsWith('Switch terminal')) {
      terminal.perform({ act: 'power', state: text.includes(' on again') ? 'on' : 'off' });
      if (text.includes(' on again')) await world.until('the terminal is online', () => terminal.online);
      await world.settled();
      return true;
    }
    if (text.startsWith('Tap a card')) {
      await world.settled();
      terminal.perform({ act: 'present-card', card: 'visa-contactless' });
      await world.settled();
      return true;
    }
    if (text.startsWith('Press the cancel key')) {
      await world.settled();
      terminal.perform({ act: 'press-keys', keys: ['cancel'] });
      await world.settled();
      return true;
    }
    const challenge = challengeIn(text);
    if (challenge) return passChallenge(world.fetch, challenge);
    const link = accountLinkIn(text);
    return link === undefined ? false : completeAccount(world.fetch, link);
  };
}
