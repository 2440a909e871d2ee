// The kinds of request and their editors. Texts are kept as drafts over a reload.
import type { Answer, Api, ApiVersion } from './api.ts';
import { byId } from './dom.ts';
import type { Editor, EditorLanguage, EditorOptions } from './editor/editor.ts';
import { wireExamples } from './example-menu.ts';
import { codeExamples } from './examples/code.ts';
import type { Example } from './examples/example.ts';
import { fqlExamples } from './examples/fql.ts';
import { graphqlExamples, schemaText } from './examples/graphql.ts';
import type { Translation } from './fql/translate.ts';
import { laidOut } from './json-text.ts';
import { keepHere, keepHereSoon, keptHere } from './keep.ts';
import { operationAt } from './operation.ts';
import { confirmOverride } from './override.ts';
import type { Runner } from './runner.ts';
import { wordsOf } from './words.ts';

export interface Requests {
  /** Shows a query expression in its editor and runs it. */
  ask(expression: string): void;
  /** Shows a query in the form of the newest version in its editor. */
  offer(expression: string): void;
}

export interface RequestsOptions extends Pick<EditorOptions, 'names'> {
  readonly api: Api;
  readonly runner: Runner;
  /** Makes the tab of this id the one that is seen. */
  readonly show: (tabId: string) => void;
}

export function wireRequests({ createEditor, jsonMistake, translate }: typeof import('./editors.ts'), { api, runner, show, names }: RequestsOptions): Requests {
  const [firstQuery] = fqlExamples.flatMap((group) => group.examples);
  const [firstCode] = codeExamples.flatMap((group) => group.examples);
  const [firstDocument] = graphqlExamples.flatMap((group) => group.examples);

  const editor = (id: string, language: EditorLanguage, label: string, text: string, onRun: () => void): Editor => {
    const created = createEditor({
      parent: byId(id, HTMLElement),
      testId: id,
      language,
      label,
      text: keptHere(id) ?? text,
      onRun,
      onChange: () => keepHereSoon(id, created.text),
      names,
    });
    return created;
  };

  const version = byId('fql-version', HTMLSelectElement);
  version.value = keptHere('version') ?? '';
  version.addEventListener('change', () => keepHere('version', version.value));
  const chosenVersion = (): ApiVersion => version.value as ApiVersion;
  const mode = byId('schema-mode', HTMLSelectElement);

  const sendQuery = async (text: string, signal: AbortSignal): Promise<Answer> => {
    const answer = await api.fql(text, chosenVersion(), { signal });
    const mistake = answer.status === 400 ? jsonMistake(text) : null;
    return mistake === null ? answer : { ...answer, notJson: { at: placeIn(text, mistake.from), words: mistake.message, looksLikeCode: CODE.test(text) } };
  };
  const runQuery = (): void => void runner.run((signal) => sendQuery(query.text(), signal));
  const runCode = (): void => void runner.run((signal) => api.fql(jsonOf(code.text(), translate), '4', { signal }));
  const runGraphql = (): void => {
    const text = graphql.text();
    const operation = operationAt(text, graphql.cursor());
    void runner.run((signal) => api.graphql(text, checkedVariables(variables.text()), { operation, signal }));
  };
  const importSchema = async (): Promise<void> => {
    if (runner.isBusy || (mode.value === 'override' && !(await confirmOverride(api)))) return;
    await runner.run((signal) => api.importSchema(schema.text(), mode.value, { signal }));
  };
  const runImport = (): void => void importSchema();

  const query = editor('fql-editor', 'json', 'Query, as JSON', firstQuery?.text ?? '', runQuery);
  const code = editor('code-editor', 'fql', 'Query, as code', firstCode?.text ?? '', runCode);
  const graphql = editor('gql-editor', 'graphql', 'GraphQL document', firstDocument?.text ?? '', runGraphql);
  const variables = editor('gql-variables', 'json', 'GraphQL variables, as JSON', firstDocument?.variables ?? '', runGraphql);
  const schema = editor('schema-editor', 'graphql', 'GraphQL schema', schemaText, runImport);

  for (const [id, run] of [['fql-run', runQuery], ['code-run', runCode], ['gql-run', runGraphql], ['schema-run', runImport]] as const) {
    byId(id, HTMLButtonElement).addEventListener('click', run);
  }
  wireRunKey();

  const setQuery = ({ text, version: wanted = '' }: Pick<Example, 'text' | 'version'>): void => {
    query.replace(text);
    version.value = wanted;
    keepHere('version', wanted);
  };
  wireExamples(byId('fql-examples', HTMLSelectElement), fqlExamples, (example) => {
    setQuery(example);
    query.focus();
  });
  wireExamples(byId('code-examples', HTMLSelectElement), codeExamples, (example) => {
    code.replace(example.text);
    code.focus();
  });
  wireExamples(byId('gql-examples', HTMLSelectElement), graphqlExamples, (example) => {
    graphql.replace(example.text);
    variables.replace(example.variables ?? '');
    graphql.focus();
  });

  const offer = (expression: string): void => {
    show('tab-fql');
    setQuery({ text: laidOut(expression), version: '4' });
    query.focus();
  };
  byId('code-json', HTMLButtonElement).addEventListener('click', () => {
    const translation = translate(code.text());
    // What is wrong with it is told where a request's answer would be.
    if ('json' in translation) offer(translation.json);
    else runCode();
  });

  return {
    ask: (expression) => {
      // It would stand in the editor beside the answer to another one.
      if (runner.isBusy) return;
      show('tab-fql');
      setQuery({ text: expression, version: chosenVersion() });
      runQuery();
    },
    offer,
  };
}

/** The key that runs what is seen, wherever the focus is: an editor that has it takes the key first. */
function wireRunKey(): void {
  document.querySelector<HTMLElement>('.ask')?.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, defaultPrevented } = event;
    if (key !== 'Enter' || !(ctrlKey || metaKey) || defaultPrevented) return;
    event.preventDefault();
    document.querySelector<HTMLButtonElement>('.panel:not([hidden]) .run')?.click();
  });
}

/** @throws Error that names the line of the first mistake in the code */
function jsonOf(code: string, translate: (text: string) => Translation): string {
  const translation = translate(code);
  if ('json' in translation) return translation.json;
  const { from, message } = translation.mistake;
  throw new Error(`Line ${lineOf(code, from)}: ${message}.`);
}

/** A call, as a driver's user writes it. */
const CODE = /^\s*[\w.]+\s*\(/;

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
const placeIn = (text: string, at: number): string => `line ${lineOf(text, at)}, column ${at - text.lastIndexOf('\n', at - 1)}`;

/**
 * They travel inside the body as they were typed, so they have to be one JSON value by themselves.
 * @throws Error that says what is wrong with them
 */
function checkedVariables(text: string): string {
  if (text.trim() === '') return '';
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new Error(`The variables are not JSON. ${wordsOf(error)}`);
  }
}
