import { within } from '../protocol/within.ts';

const PROBE_MS = 5_000;

/** Whether a request to the service makes the round trip: as any client's would, through whoever answers now. */
export async function probe(base: string): Promise<boolean> {
  try {
    const response = await within(PROBE_MS, 'The probe', fetch(`${origin}${base}ping?scope=node`, { cache: 'no-store' }));
    // A static server may answer any path with a page of its own, and an error has no resource.
    return 'resource' in ((await response.json()) as object);
  } catch {
    return false;
  }
}
