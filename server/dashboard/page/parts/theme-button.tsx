import { nextTheme, theme } from '../theme.ts';
import { Icon } from './icons.tsx';

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
