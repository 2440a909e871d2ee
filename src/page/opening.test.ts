// Who answers while a database opens: with what `open()` is made of put in its place.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const fake = vi.hoisted(() => ({ opened: Promise.resolve(), controls: false, onControlled: (): void => undefined, probe: vi.fn(), installShim: vi.fn() }));
vi.mock('./engine-worker.ts', () => ({ startEngineWorker: () => ({ opened: fake.opened, traffic: { made: 0, awaited: 0 }, status: () => Promise.reject(new Error('it is closed')), close: async () => undefined }) }));
vi.mock('./service-worker.ts', () => ({
  linkServiceWorker: (_script: unknown, _name: unknown, _onPort: unknown, onControlled: () => void) => {
    fake.onControlled = onControlled;
    return { controls: () => fake.controls, close: () => undefined };
  },
}));
vi.mock('./lifecycle.ts', () => ({ followPage: () => () => undefined }));
vi.mock('./shim.ts', () => ({ installShim: fake.installShim }));
vi.mock('./probe.ts', () => ({ probe: fake.probe }));

const { open } = await import('./index.ts');

let isOpen: boolean;
let finish: () => void;
/** What the shim waits for before it sends a request. */
const settling = (): Promise<void> | null => fake.installShim.mock.lastCall?.[2]();

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'https://app.example/' });
  vi.stubGlobal('origin', 'https://app.example');
  vi.stubGlobal('navigator', {});
  isOpen = false;
  fake.opened = new Promise((resolve) => {
    finish = () => {
      isOpen = true;
      resolve();
    };
  });
  fake.probe.mockReset().mockImplementation(async () => isOpen);
  fake.installShim.mockReset().mockReturnValue({ uninstall: () => undefined });
});
afterEach(() => void vi.unstubAllGlobals());

it.each([false, true])('is found out only once it is open, also for a request that comes before (service worker in control: %s)', async (controls) => {
  fake.controls = controls;
  const opening = open();
  const early = settling();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(fake.probe).not.toHaveBeenCalled();
  finish();
  await early;
  expect(fake.probe).toHaveBeenCalledTimes(1);
  expect(settling()).toBeNull();
  await (await opening).close();
  expect(fake.probe).toHaveBeenCalledTimes(1);
});

it('is not found out before somebody needs to know, where a service worker is in control', async () => {
  fake.controls = true;
  finish();
  const vivarium = await open();
  expect(fake.probe).not.toHaveBeenCalled();
  await Promise.all([settling(), settling()]);
  expect(fake.probe).toHaveBeenCalledTimes(1);
  await vivarium.close();
});

it('is found out again where another service worker has taken control', async () => {
  fake.controls = false;
  finish();
  const vivarium = await open();
  expect(settling()).toBeNull();
  fake.controls = true;
  fake.onControlled();
  fake.probe.mockResolvedValue(false);
  const passes = (): boolean => fake.installShim.mock.lastCall?.[1]();
  await settling();
  expect(fake.probe).toHaveBeenCalledTimes(3);
  expect([settling(), passes()]).toEqual([null, false]);
  fake.onControlled();
  fake.probe.mockResolvedValue(true);
  await settling();
  expect(passes()).toBe(true);
  await vivarium.close();
});

it('is not found out any more once it is closed', async () => {
  fake.controls = true;
  finish();
  const vivarium = await open();
  await vivarium.close();
  await expect(vivarium.status()).rejects.toThrow('closed');
  expect(fake.probe).not.toHaveBeenCalled();
});

it('is found out before open() resolves, where none is in control: where nobody answers, it fails', async () => {
  fake.controls = false;
  fake.probe.mockResolvedValue(false);
  finish();
  await expect(open()).rejects.toMatchObject({ status: 503, message: expect.stringContaining('The database gave no answer.') });
  expect(fake.probe).toHaveBeenCalledTimes(2);
});

it('waits until a page that is loaded ahead is shown', async () => {
  let show = (): void => undefined;
  vi.stubGlobal('document', { baseURI: 'https://app.example/', prerendering: true, addEventListener: (_type: string, shown: () => void) => (show = shown) });
  finish();
  const opening = open();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(fake.installShim).not.toHaveBeenCalled();
  show();
  await (await opening).close();
  expect(fake.installShim).toHaveBeenCalledTimes(1);
});
