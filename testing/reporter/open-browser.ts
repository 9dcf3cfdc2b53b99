import { spawn } from 'node:child_process';
import { after, type Clock } from '../../protocol/clock.ts';

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

// Some openers run until the browser exits; after this time the browser counts as opened.
const STARTED_MS = 2_000;

interface BrowserParts {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  clock: Clock;
}

/** Opens a URL in the default browser. Resolves with false when there is no display or no browser. */
export function openBrowser(url: string, { platform, env, clock }: BrowserParts): Promise<boolean> {
  const opener = OPENERS[platform];
  const hasScreen = platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (!opener || !hasScreen) return Promise.resolve(false);
  const [program, ...words] = opener;
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    const started = after(clock, STARTED_MS, () => resolve(true));
    const ended = (opened: boolean) => {
      started.cancel();
      resolve(opened);
    };
    child.once('error', () => ended(false));
    child.once('exit', (code) => ended(code === 0));
  });
}
