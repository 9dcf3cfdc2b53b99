import { expect, test } from 'vitest';
import { DEVICE_CASES, deviceCases } from '../../../cli/certify/device/device-cases.ts';
import { PROTOCOL_RULES } from '../../../cli/certify/device/protocol-rules.ts';

test('cases of devices: each rule of the protocol has a case, or the reason why none can show it', () => {
  const shown = new Set<string>(DEVICE_CASES.flatMap(({ shows }) => shows));
  const rules = Object.entries(PROTOCOL_RULES);
  const untried = rules.filter(([, rule]) => 'untried' in rule).map(([id]) => id);
  expect([...shown, ...untried].toSorted()).toEqual(rules.map(([id]) => id).toSorted());
});

test('cases of devices: each has an id of its own, and needs only cases before it', () => {
  const ids = DEVICE_CASES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, rule, needs } of DEVICE_CASES) {
    expect(id).toMatch(/^device\.[a-z.-]+$/);
    expect(rule.length).toBeLessThanOrEqual(500);
    for (const need of needs) expect(ids.indexOf(need)).toBeLessThan(ids.indexOf(id));
    expect(needs.filter((need) => !ids.includes(need))).toEqual([]);
  }
});

test('cases of devices: a simulator is asked for nothing that it cannot do', () => {
  expect(deviceCases(false)).toEqual(DEVICE_CASES);
  const left = new Set(deviceCases(true));
  const without = DEVICE_CASES.filter((one) => !left.has(one)).map(({ id }) => id);
  expect(without).toEqual(['device.card.declines', 'device.pair-again']);
});

test('cases of devices: each says in a few words of its own what happens, and names its rules in the protocol', () => {
  const titles = DEVICE_CASES.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const { title, shows, rules } of DEVICE_CASES) {
    expect(title).toMatch(/^[A-Z].{5,70}[^.]$/);
    expect(rules?.map(({ id }) => id)).toEqual(shows);
  }
});
