// The button that loads the sample, its progress, and what it says at the end.
import type { Api } from './api.ts';
import { byId, counted } from './dom.ts';
import { createProgress } from './progress.ts';
import { fetchSample, loadSample } from './sample.ts';
import type { Loaded } from './sample.ts';
import { wordsOf } from './words.ts';

export interface SamplePanel {
  /** Back to how it was on an empty database; a load under way is cancelled. */
  clear(): Promise<void>;
  enable(): void;
}

/** @param onLoaded called when records may have been added, also after a load that was cancelled or failed */
export function createSamplePanel(api: Api, base: string, onLoaded: () => void): SamplePanel {
  const load = byId('load-sample', HTMLButtonElement);
  const progress = createProgress({
    bar: byId('sample-progress', HTMLProgressElement),
    cancel: byId('cancel-sample', HTMLButtonElement),
    buttons: [load],
  });
  const status = byId('sample-status', HTMLElement);
  const title = load.textContent;

  const run = async (signal: AbortSignal): Promise<void> => {
    load.textContent = 'Loading…';
    const began = performance.now();
    let reached = '';
    const onProgress = (done: number, all: number): void => {
      progress.show(done, all);
      reached = `${done.toLocaleString('en')} of ${counted(all, 'record')}`;
      // Read out one by one they would go on long after the load has ended.
      status.setAttribute('aria-live', 'off');
      status.textContent = reached;
    };
    const say = (words: string): void => {
      status.setAttribute('aria-live', 'polite');
      status.textContent = words;
    };
    say('Importing the schema…');
    try {
      const loaded = await loadSample(api, await fetchSample(base, signal), { signal, onProgress });
      say(outcome(loaded, performance.now() - began));
    } catch (error) {
      say(signal.aborted
        ? `Cancelled${reached === '' ? '' : ` at ${reached}`}. Loading again goes on from there.`
        : `Not loaded: ${wordsOf(error)}`);
    } finally {
      load.textContent = title;
    }
  };

  load.addEventListener('click', () => void progress.during(load, run).then(onLoaded));

  return {
    async clear() {
      await progress.giveUp();
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
