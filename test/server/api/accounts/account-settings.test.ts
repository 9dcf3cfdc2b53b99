import { expect, test } from 'vitest';
import { defaultSettings, parseSettings } from '../../../../server/api/accounts/account-settings.ts';
import { jsonText } from '../../../../server/platform/store/json-text.ts';

test('parseSettings returns the settings of each text, and one frozen object for the same text', () => {
  const settings = defaultSettings('A shop');
  const first = parseSettings(jsonText(settings));
  expect(first).toEqual(settings);
  expect(parseSettings(jsonText(settings))).toBe(first);
  expect(() => Object.assign(first, { frozen: true })).toThrow(TypeError);
  expect(parseSettings(jsonText({ ...settings, frozen: true })).frozen).toBe(true);
});
