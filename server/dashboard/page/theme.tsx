import { signal } from '@preact/signals';
import { Icon } from './parts/icons.tsx';

/** `system` follows the setting of the operating system. */
type Theme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'tapbench.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const theme = signal<Theme>('system');

/** Applies the theme stored in this browser, and stores each change. */
export function applyStoredTheme(): void {
  const stored = THEMES.find((one) => one === localStorage.getItem(STORAGE_KEY));
  if (stored) theme.value = stored;
  theme.subscribe((chosen) => {
    document.documentElement.dataset['theme'] = chosen;
    localStorage.setItem(STORAGE_KEY, chosen);
  });
}

function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.peek()) + 1) % THEMES.length]!;
}

const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;

/** Changes between the light theme, the dark one and that of the operating system. */
export function ThemeButton() {
  return (
    <button
      class="quiet square"
      aria-label={`Theme: ${theme.value}. Change theme`}
      title={`Theme: ${theme.value}`}
      onClick={nextTheme}
    >
      <Icon name={THEME_ICONS[theme.value]} />
    </button>
  );
}
