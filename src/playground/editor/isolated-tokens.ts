// Strings and comments of a language that is coloured token by token, set apart from what stands around them: two that run
// from the right would change places. Grammars say so of their nodes themselves, and CodeMirror's `bidiIsolates` does it.
import { syntaxTree } from '@codemirror/language';
import { Prec, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, Direction, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const apart = Decoration.mark({ class: 'cm-iso', inclusive: true, attributes: { dir: 'ltr' }, bidiIsolate: Direction.LTR });

/** @param names of the tokens */
export function isolatedTokens(...names: readonly string[]) {
  const find = (view: EditorView): DecorationSet => {
    const found = new RangeSetBuilder<Decoration>();
    for (const { from, to } of view.visibleRanges) {
      syntaxTree(view.state).iterate({
        from,
        to,
        enter: ({ name, from, to }) => {
          if (names.includes(name)) found.add(from, to, apart);
        },
      });
    }
    return found.finish();
  };
  return ViewPlugin.define(
    (view) => ({
      decorations: find(view),
      update({ view, state, startState, docChanged, viewportChanged }: ViewUpdate) {
        if (docChanged || viewportChanged || syntaxTree(state) !== syntaxTree(startState)) this.decorations = find(view);
      },
    }),
    {
      provide(plugin) {
        const of = (view: EditorView): DecorationSet => view.plugin(plugin)?.decorations ?? Decoration.none;
        return [EditorView.outerDecorations.of(of), Prec.lowest(EditorView.bidiIsolatedRanges.of(of))];
      },
    },
  );
}
