// Everything that needs CodeMirror, which the page loads once it is shown. It is one part, as several would
// share files that nobody fetches ahead.
export { createEditor } from './editor/editor.ts';
export { jsonMistake } from './editor/json-mistake.ts';
export { translate } from './fql/translate.ts';
