import { expect, test } from 'vitest';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { deniedTopic, parseTopic, topicOf } from '../../protocol/topics.ts';

const TILL = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA';

test('topicOf: every message has a valid topic that parseTopic reads back', () => {
  for (const { audience, channel, name } of ALL_MESSAGES) {
    const parts = { audience, terminalId: TILL, channel, message: name };
    expect(parseTopic(topicOf(parts))).toEqual(parts);
    expect(topicOf(parts)).toMatch(/^[A-Za-z0-9_/-]+$/);
  }
});

test('topicOf: message names have no hyphens, so that topics are unambiguous', () => {
  for (const { name } of ALL_MESSAGES) expect(name).toMatch(/^[a-z]+(\.[a-z]+)*$/);
  expect(new Set(ALL_MESSAGES.map(({ name }) => name)).size).toBe(ALL_MESSAGES.length);
});

test('deniedTopic: is short, shallow and without wildcards for any topic', () => {
  expect(deniedTopic('till', 'tapbench/clock')).toBe('$denied/till/tapbench/clock');
  const worst = deniedTopic('a/b/#'.repeat(1_000), '+/#/'.repeat(20_000));
  expect(worst).not.toMatch(/[+#]/);
  expect(worst.length).toBeLessThan(300);
  expect(worst.split('/').length).toBeLessThan(20);
});
