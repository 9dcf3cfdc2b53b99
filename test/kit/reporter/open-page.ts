import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/** Has the person's browser show an address, where there is a screen and a browser; its address is printed anyway. */
export function openPage(url: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): void {
  const opener = OPENERS[platform];
  if (!opener || (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])) return;
  const [program, ...words] = opener;
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
