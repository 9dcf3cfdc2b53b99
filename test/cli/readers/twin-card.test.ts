import { expect, test } from 'vitest';
import { seededRandom } from '../../../protocol/ids.ts';
import { TWIN_NAMES } from '../../../cli/terminals/terminal-options.ts';
import { cardForTwin } from '../../../cli/readers/twin-card.ts';
import { TWINS, findTwin } from '../../../simulator/twins/twins.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { createCliFixture } from '../cli-fixture.ts';

test('TWIN_NAMES: has every twin of the simulator', () => {
  expect(TWIN_NAMES.toSorted()).toEqual(TWINS.map(({ name }) => name).toSorted());
});

const parts = { clock: new VirtualClock(0), random: seededRandom('twin-card') };

test.each(TWINS.map((row) => ({ row, name: row.name })))(
  'defaultCard: the default card of twin $name fits its reader',
  ({ row }) => {
    const card = cardForTwin(row, row.defaultCard, parts);
    expect(card.technologies.some((technology) => row.technologies.includes(technology))).toBe(true);
  },
);

test('defaultCard: twin ccid takes a contact card by default', () => {
  const row = findTwin('ccid')!;
  expect(cardForTwin(row, row.defaultCard, parts).technologies).toContain('Contact');
});

test.each([
  ['ccid', 'visa-contactless', 'visa-contactless is a contactless card, and ccid is a contact reader'],
  ['pn532', 'visa-blocked-pin', 'visa-blocked-pin is a contact card, and pn532 is a contactless reader'],
  ['ccid', 'library', "there is no card 'library'"],
])(
  'cardForTwin: tapbench twin %s --card %s throws with the name and lists fitting cards',
  async (device, card, words) => {
    const on = createCliFixture();
    expect(await on.run('twin', device, '--card', card, '--link', '/nonexistent/reader')).toBe(1);
    expect(on.err).toContain(`tapbench: ${words}; cards for ${device}: `);
    const listed = on.err.split(`cards for ${device}: `)[1]!;
    expect(listed).toContain(device === 'ccid' ? 'visa-contact-pin, ' : 'visa-contactless, ');
    expect(listed).not.toContain(device === 'ccid' ? 'visa-contactless' : 'visa-blocked-pin');
  },
);

test('cardForTwin: a reader with both interfaces takes every chip card', () => {
  const row = findTwin('vivotech')!;
  for (const name of ['visa-contactless', 'visa-blocked-pin', 'mastercard-contact-pin']) {
    expect(cardForTwin(row, name, parts).name).toBe(name);
  }
});
