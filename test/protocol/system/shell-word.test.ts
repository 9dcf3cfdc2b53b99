import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../../protocol/system/shell-word.ts';

test.each(['linux', 'darwin'] as const)('shellWord: a shell of %s reads each word as it was', (system) => {
  const words = ['shop.py', '--defect', 'two words', "it's", '$HOME', 'a;b', '"', '*', ''];
  const line = ['printf', '%s|', ...words].map((word) => shellWord(word, system)).join(' ');
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`${words.join('|')}|`);
});

test('shellWord: on Windows a word is in quotation marks where that is needed', () => {
  expect(shellWord('C:/shop.js', 'win32')).toBe('C:/shop.js');
  expect(shellWord('two words', 'win32')).toBe('"two words"');
  expect(shellWord('say "no"', 'win32')).toBe(String.raw`"say \"no\""`);
});
