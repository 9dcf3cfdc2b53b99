import { expect, test } from 'vitest';
import { SystemClock } from '../../../protocol/clock.ts';
import { browserOpener, openBrowser } from '../../../protocol/system/open-browser.ts';

const URL = 'http://127.0.0.1:8080/?a=1&b=2#token=x';

test.each([{ DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }])(
  'browserOpener: on Linux xdg-open with a display, such as %j',
  (env) => expect(browserOpener(URL, env, 'linux')).toEqual({ program: 'xdg-open', words: [URL] }),
);

test('browserOpener: on Linux none without a display', () => {
  expect(browserOpener(URL, { DISPLAY: '' }, 'linux')).toBeUndefined();
});

test('browserOpener: on macOS open, and on Windows start with an address that cmd.exe does not cut', () => {
  expect(browserOpener(URL, {}, 'darwin')).toEqual({ program: 'open', words: [URL] });
  expect(browserOpener(URL, {}, 'win32')).toEqual({
    program: 'cmd',
    words: ['/c', 'start', '', 'http://127.0.0.1:8080/?a=1^&b=2#token=x'],
  });
});

test('browserOpener: none on a system that it does not know', () => {
  expect(browserOpener(URL, { DISPLAY: ':0' }, 'sunos')).toBeUndefined();
});

test('openBrowser: resolves with false without a display', async () => {
  expect(await openBrowser(URL, { env: {}, clock: new SystemClock() })).toBe(false);
});
