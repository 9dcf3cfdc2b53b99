import { spawn } from 'node:child_process';
import { after, type Clock } from '../clock.ts';
import { OWN_GROUP } from './process-group.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

// Some openers run until the browser exits; after this time the browser counts as opened.
const STARTED_MS = 2_000;

interface BrowserParts {
  env: Record<string, string | undefined>;
  clock: Clock;
}

/** Opens a URL in the default browser. Resolves with false when there is no display or no browser. */
export function openBrowser(url: string, { env, clock }: BrowserParts): Promise<boolean> {
  const opener = browserOpener(url, env);
  if (!opener) return Promise.resolve(false);
  const child = spawn(opener.program, opener.words, { ...OWN_GROUP, stdio: 'ignore' });
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

/**
 * Returns the program that opens a URL; undefined where none can.
 *
 * - Linux: `xdg-open`, on a machine with a display.
 * - macOS: `open`.
 * - Windows: `start` of `cmd.exe`.
 */
export function browserOpener(
  url: string,
  env: BrowserParts['env'],
  system: System = THIS_SYSTEM,
): { program: string; words: string[] } | undefined {
  switch (system) {
    case 'linux':
      return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? { program: 'xdg-open', words: [url] } : undefined;
    case 'darwin':
      return { program: 'open', words: [url] };
    case 'win32':
      // The empty word is the title of a window. `cmd.exe` would end the command at a bare `&`.
      return { program: 'cmd', words: ['/c', 'start', '', url.replaceAll(/[&^|<>()]/g, '^$&')] };
    default:
      return undefined;
  }
}
