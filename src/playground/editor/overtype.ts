import { EditorView } from '@codemirror/view';

/** Characters from which on a selection is long. */
const LONG = 200;

/**
 * Typing over a long selection. Left to the browser, as other typing is, it would delete the elements of the
 * text one by one and lay the line out after each: half a minute for a thousand numbers on one line.
 */
export const overtype = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to } = view.state.selection.main;
    const { data } = event;
    if (event.inputType !== 'insertText' || data === null || event.isComposing || to - from < LONG) return false;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
