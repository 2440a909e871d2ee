// A select that fills the editor. It returns to its title after each choice, so that the same
// example can be chosen twice. Its arrow keys go through the examples where it is closed; then
// Enter takes one.
import type { Example, ExampleGroup } from './examples/example.ts';
import { make } from './dom.ts';

/** Keys that open the list; on a Mac arrows do so, too. */
const OPENS = /Mac/.test(navigator.userAgent) ? /^(?: |F4|Enter|Arrow.*)$/ : /^(?: |F4|Enter)$/;
/** Keys that go through a list, open or closed. */
const WALKS = /^(?:Arrow|Home|End|Page|.$)/;

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
  /** What is chosen in the open list is taken at once. Where the closed one was walked through, Enter takes what it shows. */
  let state: 'closed' | 'open' | 'walked' = 'closed';
  const choose = (): void => {
    state = 'closed';
    const chosen = select.value === '' ? undefined : all[Number(select.value)];
    select.value = '';
    if (chosen !== undefined) onChoose(chosen);
  };
  select.addEventListener('pointerdown', () => (state = 'open'));
  select.addEventListener('keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey) return;
    if (state === 'walked' && key === 'Enter') {
      event.preventDefault();
      choose();
    } else if (key === 'Escape') state = 'closed';
    else if (OPENS.test(key) || (altKey && key.startsWith('Arrow'))) state = 'open';
    else if (state === 'closed' && WALKS.test(key)) state = 'walked';
  });
  select.addEventListener('change', () => {
    if (state !== 'walked') choose();
  });
  select.addEventListener('blur', () => {
    state = 'closed';
    select.value = '';
  });
}
