// Light, dark, or as the system has it. Only a choice against the system is kept.
import { keep, kept } from './keep.ts';

const KEY = 'theme';
const choices = ['system', 'light', 'dark'] as const;

/** Shows the kept theme and lets the button go through the three. */
export function wireTheme(button: HTMLButtonElement): void {
  let theme = choices.find((choice) => choice === kept(KEY)) ?? 'system';
  const show = (): void => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener('click', () => {
    theme = choices[(choices.indexOf(theme) + 1) % choices.length] ?? 'system';
    keep(KEY, theme === 'system' ? null : theme);
    show();
  });
  show();
}
