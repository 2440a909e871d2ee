// The playground: a client of the page API like any other. Queries go out by plain `fetch`.
import { open } from '../page/index.ts';
import type { Status, Vivarium } from '../page/index.ts';
import { createApi } from './api.ts';
import { byId, commandKey } from './dom.ts';
import { createFilePanel } from './file-panel.ts';
import { rescue } from './rescue.ts';
import { wireRequests } from './requests.ts';
import type { Requests } from './requests.ts';
import { wireReset } from './reset.ts';
import { createResultView } from './result.ts';
import { createRunner } from './runner.ts';
import { createSamplePanel } from './sample-panel.ts';
import { createSidebar } from './sidebar.ts';
import { createStatusView } from './status-view.ts';
import { wireTabs } from './tabs.ts';
import { wireTheme } from './theme.ts';
import { keepHere, keptHere } from './keep.ts';
import { wordsOf } from './words.ts';

declare global {
  interface Window {
    /** The open database, for the curious: try `await vivarium.query({ add: [1, 2] })` in the console. */
    vivarium?: Vivarium;
  }
}

const base = import.meta.env.BASE_URL;
const banner = byId('banner', HTMLElement);
/** @returns takes it back, unless there is something else to complain of by then */
const complain = (words: string): (() => void) => {
  banner.textContent = words;
  banner.hidden = false;
  return () => (banner.hidden ||= banner.textContent === words);
};

wireTheme(byId('theme', HTMLButtonElement));
byId('mod', HTMLElement).textContent = commandKey();

const tabs = wireTabs(document.querySelector<HTMLElement>('[role="tablist"]') ?? document.body, (panel) => keepHere('tab', panel.replace('panel', 'tab')));
tabs.show(keptHere('tab') ?? 'tab-fql');

const statusView = createStatusView();
statusView.showText('opening…');

const secret = byId('secret', HTMLInputElement);
const api = createApi(base, () => secret.value);
const result = createResultView();
const runButtons = ['fql-run', 'code-run', 'code-json', 'gql-run', 'schema-run'].map((id) => byId(id, HTMLButtonElement));
let requests: Requests | null = null;

const sidebar = createSidebar(api, (expression) => requests?.ask(expression));

/** The last commit there was when the page looked, and whether the service worker was there. */
let seen = '';
const seenOf = ({ applied, lastCommit, serviceWorker }: Status): string => `${applied} ${lastCommit} ${serviceWorker.state}`;

/** What is shown of the database beside the result: its state and its contents. */
async function look(): Promise<void> {
  try {
    const status = await window.vivarium?.status();
    if (status === undefined) return;
    // Before the lists are read: what is committed meanwhile is seen the next time.
    seen = seenOf(status);
    statusView.show(status);
  } catch {
    statusView.showText('not reachable');
  }
  await sidebar.refresh();
}
const lookAgain = (): void => void look();

/** How soon the page sees what other tabs and clients have written. */
const FOLLOW_MS = 1000;

async function follow(database: Vivarium): Promise<void> {
  if (document.visibilityState === 'visible') {
    const now = await database.status().then(seenOf, () => seen);
    if (now !== seen) await look();
  }
  setTimeout(() => void follow(database), FOLLOW_MS);
}

const runner = createRunner(result, runButtons, lookAgain);
const sample = createSamplePanel(api, base, lookAgain);
const files = createFilePanel(lookAgain);

let takeBack = (): void => undefined;
wireReset(async () => {
  await Promise.all([sample.clear(), files.clear(), runner.giveUp()]);
  // Now, not once all is deleted: by then the answer of a request that came after may be shown.
  result.clear();
  try {
    await window.vivarium?.reset();
    takeBack();
    result.note('Everything was deleted.');
  } catch (error) {
    takeBack = complain(`Nothing was deleted: ${wordsOf(error)}`);
  }
  await look();
});

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') lookAgain();
});
navigator.serviceWorker?.addEventListener('controllerchange', lookAgain);
secret.addEventListener('change', lookAgain);

/** A query that the address brings along, as the examples of the function reference do. */
function offered(): void {
  const query = new URLSearchParams(location.hash.slice(1)).get('try');
  if (query === null || requests === null) return;
  requests.offer(query);
  // Once is enough: a draft written over it must not be lost to a reload.
  history.replaceState(null, '', location.pathname + location.search);
}
addEventListener('hashchange', offered);

/** Names to propose, by the functions that take them. */
function names() {
  const { collections, indexes, functions } = sidebar.names();
  return { Collection: collections, Class: collections, Index: indexes, Function: functions };
}

const editors = import('./editors.ts').then(
  (loaded) => {
    requests = wireRequests(loaded, { api, runner, show: tabs.show, names });
    offered();
  },
  () => complain('The editors could not be loaded. Check the connection and reload the page.'),
);

/** Not at the top of this module: one that awaits there keeps WebKit busy for good, with every tab of its process, when its page is closed meanwhile. */
async function begin(): Promise<void> {
  try {
    const database = await open({ rest: true, serviceWorker: 'sw.js?playground' });
    window.vivarium = database;
    await editors;
    if (requests !== null) for (const button of runButtons) button.disabled = false;
    byId('reset', HTMLButtonElement).disabled = false;
    sample.enable();
    files.enable(database);
    document.documentElement.dataset['ready'] = 'true';
    await look();
    void follow(database);
  } catch (error) {
    statusView.showText('not open');
    complain(openingFailed(error));
    if (isSecureContext) banner.append(rescue());
  }
}
void begin();

/** What to do about the failures a user can do something about; otherwise what the error says. */
function openingFailed(error: unknown): string {
  if (!isSecureContext) return 'The database opens only where the browser trusts the connection: at an https address, or at localhost.';
  const advice: Readonly<Record<string, string>> = {
    blocked: 'Another tab holds the database in an older form. Close the other tabs of this page, then reload.',
    'newer-format': 'The data here were written by a newer version of Vivarium. Reload to get that version.',
    quota: 'The browser has no room left for this site. Free some space, then reload.',
  };
  const code = (error as { errors?: readonly { code?: string }[] } | null)?.errors?.[0]?.code ?? '';
  const words = wordsOf(error);
  return `The database could not be opened. ${advice[code] ?? `${words} Reload the page to try again.`}`;
}
