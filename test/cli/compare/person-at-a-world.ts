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
    const [, creq, acsUrl] = /^Post creq=(\S+) as a form to (\S+) /.exec(text) ?? [];
    if (creq === undefined || acsUrl === undefined) return false;
    await passChallenge(world.fetch, creq, acsUrl);
    return true;
  };
}

/** Answers the challenge on the page of the issuer. */
async function passChallenge(fetch: World['fetch'], creq: string, acsUrl: string): Promise<void> {
  const post = (url: string, fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const page = await (await post(acsUrl, { creq })).text();
  const action = /<form[^>]+action="([^"]+)"/.exec(page)![1]!;
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));
  await post(new URL(action, acsUrl).href, { ...fields, answer: 'approve', code: '123456' });
}
