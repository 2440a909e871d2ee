// A text editor in the page, behind which CodeMirror stands.
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, simplifySelection } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bidiIsolates, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { diagnosticCount, forEachDiagnostic, linter, lintKeymap, nextDiagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorState } from '@codemirror/state';
import {
  closeHoverTooltips, type Command, drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, tooltips,
} from '@codemirror/view';
import { fql, type SchemaNames } from './fql-language.ts';
import { graphql } from './graphql-language.ts';
import { jsonMistake } from './json-mistake.ts';
import { editorTheme, highlightStyle } from './look.ts';
import { lint } from './mistake.ts';
import { overtype } from './overtype.ts';

export type EditorLanguage = 'fql' | 'json' | 'graphql';

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly language: EditorLanguage;
  readonly text: string;
  /** What a screen reader calls it. */
  readonly label: string;
  /** `data-testid` of the element that takes the text. */
  readonly testId: string;
  /** Ctrl or Command with Enter. */
  readonly onRun: () => void;
  readonly onChange: () => void;
  /** What it proposes, in FQL. */
  readonly names: () => SchemaNames;
}

export interface Editor {
  text(): string;
  /** Its position, also while the focus is elsewhere. */
  cursor(): number;
  /** As a change of its own, so that undo brings the former text back. */
  replace(text: string): void;
  focus(): void;
}

const languages: Readonly<Record<EditorLanguage, (names: () => SchemaNames) => Extension>> = {
  fql,
  json: () => [json(), linter(lint(jsonMistake), { delay: 400 })],
  graphql: () => graphql,
};

/** Milliseconds for which Escape sets Tab free, unless another key comes first. CodeMirror's own two seconds are too short for some. */
const FREE_MS = 600_000;

const leave: Command = (view) => {
  simplifySelection(view);
  view.dispatch({ effects: closeHoverTooltips });
  view.setTabFocusMode(FREE_MS);
  return true;
};

/** Goes to the next mistake and shows its words, also to who hears the page. */
const explain: Command = (view) => {
  if (!nextDiagnostic(view) && diagnosticCount(view.state) > 0) {
    // The only one is where the cursor is: it has to come from elsewhere, or nothing is shown.
    view.dispatch({ selection: { anchor: 0 } });
    nextDiagnostic(view);
  }
  const { from } = view.state.selection.main;
  let words: string | undefined;
  forEachDiagnostic(view.state, ({ message }, start) => {
    if (start === from) words ??= message;
  });
  if (words === undefined) return false;
  view.dispatch({ effects: EditorView.announce.of(words) });
  return true;
};

/** A finger neither hovers nor presses F8. */
function explainTapped({ pointerType, target }: MouseEvent & { readonly pointerType?: string }, view: EditorView): boolean {
  return pointerType === 'touch' && target instanceof Element && target.closest('.cm-lintRange, .cm-lintPoint') !== null && explain(view);
}

/** What F8 has opened stays open by itself. Where the pointer is in it, its words are being selected. */
function closeUnlessPointedAt(view: EditorView): void {
  if (view.dom.querySelector('.cm-tooltip-hover:hover') === null) view.dispatch({ effects: closeHoverTooltips });
}

/** Where a tooltip may lie, in the window: over nothing above the editor, nor below it unless the editor is low. */
function tooltipSpace({ dom }: EditorView): { left: number; top: number; right: number; bottom: number } {
  const { left, top, right, bottom } = dom.getBoundingClientRect();
  const { clientWidth, clientHeight } = dom.ownerDocument.documentElement;
  return { left: Math.max(left, 0), top: Math.max(top, 0), right: Math.min(right, clientWidth), bottom: Math.min(Math.max(bottom, top + 160), clientHeight) };
}

export function createEditor({ parent, language, text, label, testId, onRun, onChange, names }: EditorOptions): Editor {
  const run = (): boolean => {
    onRun();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        EditorView.lineWrapping,
        highlightActiveLine(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        indentUnit.of('  '),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        overtype,
        keymap.of([
          { key: 'Mod-Enter', run },
          { key: 'Escape', run: leave },
          { key: 'F8', run: explain },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...lintKeymap,
          // Until Escape sets Tab free, so that the keyboard can leave.
          indentWithTab,
        ]),
        languages[language](names),
        syntaxHighlighting(highlightStyle),
        editorTheme,
        bidiIsolates(),
        tooltips({ tooltipSpace }),
        EditorView.domEventHandlers({ blur: (_, left) => closeUnlessPointedAt(left), click: explainTapped }),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': 'keys', 'data-testid': testId, spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange();
        }),
      ],
    }),
  });

  return {
    text: () => view.state.doc.toString(),
    cursor: () => view.state.selection.main.head,
    replace: (next) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: 0 },
        scrollIntoView: true,
        annotations: isolateHistory.of('full'),
      }),
    focus: () => view.focus(),
  };
}
