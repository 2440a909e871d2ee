// Increments of two tabs at the same time: what is acknowledged has to count, each once.
import type { Page } from 'playwright/test';
import { increment, ref } from './queries.ts';
import { V4 } from './wire.ts';

export const counter = ref('counters', 1);

export interface Outcome {
  readonly acknowledged: number;
  /** Codes of the others' errors. */
  readonly refusals: readonly string[];
}

/** Sends `count` increments, four at a time, inside the page: the tabs have to be at it together. */
export function incrementOften(page: Page, count: number): Promise<Outcome> {
  return page.evaluate(
    async ({ body, headers, count }) => {
      let acknowledged = 0;
      let left = count;
      const refusals: string[] = [];
      const work = async (): Promise<void> => {
        while (left-- > 0) {
          const response = await fetch('./', { method: 'POST', body, headers });
          if (response.ok) acknowledged++;
          else refusals.push(((await response.json()) as { errors: { code: string }[] }).errors[0]?.code ?? 'none');
        }
      };
      await Promise.all([work(), work(), work(), work()]);
      return { acknowledged, refusals };
    },
    { body: JSON.stringify(increment(counter)), headers: V4.headers, count },
  );
}
