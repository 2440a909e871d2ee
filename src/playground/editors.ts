// What the page loads on its own, once it is there: all that needs CodeMirror. One part, as parts of
// it would share files that nobody fetches ahead.
export { createEditor } from './editor/editor.ts';
export { translate } from './fql/translate.ts';
