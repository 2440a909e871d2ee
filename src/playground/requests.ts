// The three kinds of request and their editors. Texts are kept as drafts over a reload.
import type { Api, ApiVersion } from './api.ts';
import { byId } from './dom.ts';
import type { createEditor, Editor } from './editor/editor.ts';
import { wireExamples } from './example-menu.ts';
import { fqlExamples, graphqlExamples, schemaText } from './examples.ts';
import type { Example } from './examples.ts';
import { layOut } from './json-text.ts';
import { keep, kept } from './keep.ts';
import { operationAt } from './operation.ts';
import { confirmOverride } from './override.ts';
import type { Runner } from './runner.ts';

export interface Requests {
  /** Puts a query expression into its editor and runs it. */
  ask(expression: string): void;
  /** Puts a query in the form of the newest version into its editor. */
  offer(expression: string): void;
}

export function wireRequests(create: typeof createEditor, api: Api, runner: Runner): Requests {
  const [firstQuery] = fqlExamples.flatMap((group) => group.examples);
  const [firstDocument] = graphqlExamples.flatMap((group) => group.examples);

  const editor = (id: string, language: 'json' | 'graphql', label: string, text: string, onRun: () => void): Editor =>
    create({
      parent: byId(id, HTMLElement),
      testId: id,
      language,
      label,
      text: kept(id) ?? text,
      onRun,
      onChange: (changed) => keep(id, changed),
    });

  const version = byId('fql-version', HTMLSelectElement);
  version.value = kept('version') ?? '';
  version.addEventListener('change', () => keep('version', version.value));
  const chosenVersion = (): ApiVersion => version.value as ApiVersion;
  const mode = byId('schema-mode', HTMLSelectElement);

  const runQuery = (): void => void runner.run(() => api.fql(query.text(), chosenVersion()));
  const runDocument = (): void => {
    const text = document.text();
    const operation = operationAt(text, document.cursor());
    void runner.run(() => api.graphql(text, checkedVariables(variables.text()), { operation }));
  };
  const importSchema = async (): Promise<void> => {
    if (mode.value === 'override' && !(await confirmOverride(api))) return;
    await runner.run(() => api.importSchema(schema.text(), mode.value));
  };
  const runImport = (): void => void importSchema();

  const query = editor('fql-editor', 'json', 'Query, as JSON', firstQuery?.text ?? '', runQuery);
  const document = editor('gql-editor', 'graphql', 'GraphQL document', firstDocument?.text ?? '', runDocument);
  const variables = editor('gql-variables', 'json', 'GraphQL variables, as JSON', firstDocument?.variables ?? '', runDocument);
  const schema = editor('schema-editor', 'graphql', 'GraphQL schema', schemaText, runImport);

  for (const [id, run] of [['fql-run', runQuery], ['gql-run', runDocument], ['schema-run', runImport]] as const) {
    byId(id, HTMLButtonElement).addEventListener('click', run);
  }

  const setQuery = ({ text, version: wanted = '' }: Pick<Example, 'text' | 'version'>): void => {
    query.replace(text);
    version.value = wanted;
    keep('version', wanted);
  };
  wireExamples(byId('fql-examples', HTMLSelectElement), fqlExamples, (example) => {
    setQuery(example);
    query.focus();
  });
  wireExamples(byId('gql-examples', HTMLSelectElement), graphqlExamples, (example) => {
    document.replace(example.text);
    variables.replace(example.variables ?? '');
    document.focus();
  });

  return {
    ask: (expression) => {
      setQuery({ text: expression, version: chosenVersion() });
      runQuery();
    },
    offer: (expression) => {
      setQuery({ text: laidOut(expression), version: '4' });
      query.focus();
    },
  };
}

const laidOut = (json: string): string => layOut(json)?.map(({ text }) => text).join('') ?? json;

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
    throw new Error(`The variables are not JSON. ${error instanceof Error ? error.message : ''}`);
  }
}
