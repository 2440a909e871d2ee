// The button that loads the sample, its progress, and what it says at the end.
import type { Api } from './api.ts';
import { byId, counted } from './dom.ts';
import { fetchSample, loadSample } from './sample.ts';
import type { Loaded } from './sample.ts';
import { wordsOf } from './words.ts';

export interface SamplePanel {
  /** Back to how it was on an empty database; a load under way is cancelled. */
  clear(): void;
  enable(): void;
}

/** @param onLoaded called when records may have been added, also after a load that was cancelled or failed */
export function createSamplePanel(api: Api, base: string, onLoaded: () => void): SamplePanel {
  const load = byId('load-sample', HTMLButtonElement);
  const cancel = byId('cancel-sample', HTMLButtonElement);
  const bar = byId('sample-progress', HTMLProgressElement);
  const status = byId('sample-status', HTMLElement);
  const title = load.textContent;
  let running: AbortController | null = null;

  const run = async (): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running = controller;
    load.disabled = true;
    load.textContent = 'Loading…';
    cancel.hidden = false;
    cancel.focus();
    bar.hidden = false;
    bar.removeAttribute('value');
    status.textContent = 'Importing the schema…';
    const began = performance.now();
    let reached = '';
    try {
      const sample = await fetchSample(base, signal);
      const loaded = await loadSample(api, sample, {
        signal,
        onProgress: (done, all) => {
          bar.max = all;
          bar.value = done;
          reached = `${done.toLocaleString('en')} of ${counted(all, 'record')}`;
          status.textContent = reached;
        },
      });
      status.textContent = outcome(loaded, performance.now() - began);
    } catch (error) {
      status.textContent = signal.aborted
        ? `Cancelled${reached === '' ? '' : ` at ${reached}`}. Loading again goes on from there.`
        : `Not loaded: ${wordsOf(error)}`;
    } finally {
      if (running === controller) running = null;
      const wasFocused = document.activeElement === cancel;
      load.disabled = false;
      load.textContent = title;
      cancel.hidden = true;
      bar.hidden = true;
      if (wasFocused) load.focus();
      onLoaded();
    }
  };

  load.addEventListener('click', () => void run());
  cancel.addEventListener('click', () => running?.abort());

  return {
    clear: () => {
      running?.abort();
      status.textContent = '';
    },
    enable: () => (load.disabled = false),
  };
}

function outcome({ countries, cities, found }: Loaded, milliseconds: number): string {
  if (countries + cities === 0) return `All ${counted(found, 'record')} are already here; nothing was added. Reset to load them anew.`;
  const before = found === 0 ? '' : ` ${found.toLocaleString('en')} were already here.`;
  const added = [
    ...(countries === 0 ? [] : [counted(countries, 'country', 'countries')]),
    ...(cities === 0 ? [] : [counted(cities, 'city', 'cities')]),
  ].join(' and ');
  return `Loaded ${added} in ${(milliseconds / 1000).toFixed(1)} s.${before}`;
}
