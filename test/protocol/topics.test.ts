import { expect, test } from 'vitest';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { deniedTopic, parseTopic, topicOf } from '../../protocol/topics.ts';

const TILL = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA';

test('every message has a topic that is read back as that message, and that no broker stumbles over', () => {
  for (const { audience, channel, name } of ALL_MESSAGES) {
    const parts = { audience, terminalId: TILL, channel, message: name };
    expect(parseTopic(topicOf(parts))).toEqual(parts);
    expect(topicOf(parts)).toMatch(/^[A-Za-z0-9_/-]+$/);
  }
});

test('names of messages are dotted words, so that a hyphen stands for a dot and nothing else', () => {
  for (const { name } of ALL_MESSAGES) expect(name).toMatch(/^[a-z]+(\.[a-z]+)*$/);
  expect(new Set(ALL_MESSAGES.map(({ name }) => name)).size).toBe(ALL_MESSAGES.length);
});

test('a denied topic is short, shallow and without wildcards, whatever was asked', () => {
  expect(deniedTopic('till', 'tapbench/clock')).toBe('$denied/till/tapbench/clock');
  const worst = deniedTopic('a/b/#'.repeat(1_000), '+/#/'.repeat(20_000));
  expect(worst).not.toMatch(/[+#]/);
  expect(worst.length).toBeLessThan(300);
  expect(worst.split('/').length).toBeLessThan(20);
});
