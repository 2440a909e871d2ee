// Light, dark, or as the system has it. Only a choice against the system is kept.
import { keep, kept, onKept } from './keep.ts';

const KEY = 'theme';
const choices = ['system', 'light', 'dark'] as const;

/** Shows the kept theme, follows other tabs, and lets the button go through the three. */
export function wireTheme(button: HTMLButtonElement): void {
  let theme: (typeof choices)[number];
  const show = (next: string | null): void => {
    theme = choices.find((choice) => choice === next) ?? 'system';
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener('click', () => {
    show(choices[(choices.indexOf(theme) + 1) % choices.length] ?? 'system');
    keep(KEY, theme === 'system' ? null : theme);
  });
  onKept(KEY, show);
  show(kept(KEY));
}
