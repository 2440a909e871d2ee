// A select that fills the editor. It returns to its title after each choice, so that the same
// example can be chosen twice. Its arrow keys go through the examples where it is closed; then
// Enter takes one.
import type { Example, ExampleGroup } from './examples/example.ts';
import { make } from './dom.ts';

/** Keys that open the list; on a Mac arrows do so, too. */
const OPENS = /Mac/.test(navigator.userAgent) ? /^(?: |F4|Arrow.*)$/ : /^(?: |F4)$/;

export function wireExamples(
  select: HTMLSelectElement,
  groups: readonly ExampleGroup[],
  onChoose: (example: Example) => void,
): void {
  const all = groups.flatMap((group) => group.examples);
  select.append(
    make('option', { value: '' }, 'choose…'),
    ...groups.map((group) =>
      make(
        'optgroup',
        { label: group.name },
        ...group.examples.map((example) => make('option', { value: String(all.indexOf(example)) }, example.name)),
      ),
    ),
  );
  let isBrowsed = false;
  const choose = (): void => {
    const chosen = select.value === '' ? undefined : all[Number(select.value)];
    select.value = '';
    if (chosen !== undefined) onChoose(chosen);
  };
  select.addEventListener('pointerdown', () => (isBrowsed = false));
  select.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && select.value !== '') {
      event.preventDefault();
      choose();
    } else if (OPENS.test(event.key) || (event.altKey && event.key.startsWith('Arrow'))) isBrowsed = false;
    else isBrowsed = true;
  });
  select.addEventListener('change', () => {
    if (!isBrowsed) choose();
  });
  select.addEventListener('blur', () => (select.value = ''));
}
