import { signal } from '@preact/signals';

/** `system` follows the setting of the computer. */
type Theme = 'system' | 'light' | 'dark';

const KEPT_AS = 'tapbench.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>('system');

/** Shows the page as its reader chose it, and remembers the choice on this computer. */
export function useChosenTheme(): void {
  const kept = THEMES.find((one) => one === localStorage.getItem(KEPT_AS));
  if (kept) theme.value = kept;
  theme.subscribe((chosen) => {
    document.documentElement.dataset['theme'] = chosen;
    localStorage.setItem(KEPT_AS, chosen);
  });
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.peek()) + 1) % THEMES.length]!;
}
