// The state of the database in the header, in words a user of the page can act on.
import type { Status } from '../page/index.ts';
import { byId, make } from './dom.ts';

interface Fact {
  readonly term: string;
  readonly value: string;
  /** What it means, as a tooltip and for a screen reader. */
  readonly meaning: string;
  readonly isWarning?: boolean;
}

export interface StatusView {
  show(status: Status): void;
  showText(text: string): void;
}

export function createStatusView(): StatusView {
  const list = byId('status', HTMLDListElement);
  const footer = byId('offline', HTMLElement);
  return {
    show: (status) => {
      list.replaceChildren(...facts(status).map(item));
      footer.textContent = footerText(status);
    },
    showText: (text) => list.replaceChildren(item({ term: 'Database', value: text, meaning: text })),
  };
}

const STRICT: Fact = { term: 'Writes', value: 'strict', meaning: 'An acknowledged write is on disk.' };
const RELAXED: Fact = { term: 'Writes', value: 'relaxed', meaning: 'An acknowledged write has reached the operating system, and the disk soon after.' };

function facts({ persistent, durability, answeredBy, serviceWorker, worker }: Status): readonly Fact[] {
  return [
    persistent
      ? { term: 'Storage', value: 'IndexedDB', meaning: 'Data are kept in this browser.' }
      : { term: 'Storage', value: 'memory only', meaning: 'Data are gone when the last tab is closed: this browser keeps nothing here (private mode?).', isWarning: true },
    ...(persistent ? [durability === 'strict' ? STRICT : RELAXED] : []),
    answeredBy === 'service-worker'
      ? { term: 'Answered by', value: 'service worker', meaning: 'Requests of this page and of every other tab here go to the database.' }
      : { term: 'Answered by', value: 'this page', meaning: mayCome(serviceWorker) ? 'Until the service worker is in control, the page answers its own requests.' : (serviceWorker.reason ?? NO_SERVICE_WORKER) },
    ...(worker === 'running' ? [] : [{ term: 'Engine', value: worker, meaning: 'The worker the engine runs in.', isWarning: worker === 'failed' }]),
  ];
}

function item({ term, value, meaning, isWarning = false }: Fact): HTMLDivElement {
  return make('div', { title: meaning }, make('dt', {}, term), make('dd', isWarning ? { class: 'warn' } : {}, value, make('span', { class: 'visually-hidden' }, ` (${meaning})`)));
}

/** Over HTTP from another machine, say. */
const NO_SERVICE_WORKER = 'The browser has no service worker for pages of this address; the page answers its own requests.';

const mayCome = ({ state }: Status['serviceWorker']): boolean => state === 'pending' || state === 'registered';

function footerText({ answeredBy, storage, persistent, serviceWorker }: Status): string {
  const used = storage.usageBytes === null ? '' : ` ${(storage.usageBytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB used.`;
  const later = mayCome(serviceWorker) ? 'Loaded once more, the page opens without a network.' : 'Without a service worker, the page itself is loaded from the network.';
  const offline = answeredBy === 'service-worker' ? 'The page opens without a network.' : later;
  return `${persistent ? 'All data stay in this browser; no server is asked.' : 'Data live in memory only, and are gone when the last tab is closed.'} ${offline}${used}`;
}
