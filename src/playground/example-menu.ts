// A select that fills the editor. It returns to its title after each choice, so that the same
// example can be chosen twice.
import type { Example, ExampleGroup } from './examples/example.ts';
import { make } from './dom.ts';

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
  select.addEventListener('change', () => {
    const chosen = select.value === '' ? undefined : all[Number(select.value)];
    select.value = '';
    if (chosen !== undefined) onChoose(chosen);
  });
}
