import { signal } from '@preact/signals';

/** `system` follows the setting of the operating system. */
type Theme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'tapbench.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>('system');

/** Applies the theme stored in this browser, and stores each change. */
export function applyStoredTheme(): void {
  const stored = THEMES.find((one) => one === localStorage.getItem(STORAGE_KEY));
  if (stored) theme.value = stored;
  theme.subscribe((chosen) => {
    document.documentElement.dataset['theme'] = chosen;
    localStorage.setItem(STORAGE_KEY, chosen);
  });
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.peek()) + 1) % THEMES.length]!;
}
