import type { Diagnostic } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';

/** A place in a text where it is not what it should be. */
export interface Mistake {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Shows the mistake that is found in an editor's text, if there is one. */
export const lint = (find: (text: string) => Mistake | null) => (view: EditorView): readonly Diagnostic[] => {
  const mistake = find(view.state.doc.toString());
  return mistake === null ? [] : [{ ...mistake, severity: 'error' }];
};
