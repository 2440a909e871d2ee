import { expect, it, vi } from 'vitest';
import type { HttpResponse } from '../engine/http/message.ts';
import { LaneLost } from '../protocol/lane.ts';
import { by, clientsOf, type FakePage, type Handle, inOwnTime, page, request } from '../testing/fake-pages.ts';
import { knowPages } from './pages.ts';

inOwnTime();

function known(windows: FakePage[]) {
  const pages = knowPages('db', clientsOf(windows));
  const first = async (): Promise<Client> => {
    const [client] = await pages.present();
    if (client === undefined) throw new Error('there is no page');
    return client;
  };
  const meet = async () => pages.meet(await first());
  const whoAnswers = async () => (await pages.relay(request, await meet()))?.headers['who'];
  /** Lets the time pass in which the page would have had to answer. */
  const meetInVain = async () => {
    const meeting = expect(meet()).rejects.toBeInstanceOf(LaneLost);
    await vi.advanceTimersByTimeAsync(1_000);
    await meeting;
  };
  return { ...pages, first, meet, whoAnswers, meetInVain };
}

it('a page is asked for a port once, however many wait for it, and is known from then on', async () => {
  const a = page('a', by('a'));
  const pages = known([a]);
  expect(pages.known('a')).toBeNull();
  await Promise.all([pages.meet(), pages.meet(), pages.meet()]);
  await pages.meet();
  expect(a.asked).toHaveBeenCalledOnce();
  expect(pages.known('a')?.id).toBe('a');
});

it('a page that does not answer is silent until it says that it is here', async () => {
  const a = page('a', null);
  const pages = known([a]);
  expect(pages.isSilent('a')).toBe(false);
  await pages.meetInVain();
  expect(pages.isSilent('a')).toBe(true);
  pages.here('a');
  expect(pages.isSilent('a')).toBe(false);
});

it('one that was silent is asked again after ten seconds, once, and is silent until it has answered', async () => {
  const a = page('a', null);
  const pages = known([a]);
  await pages.meetInVain();
  await vi.advanceTimersByTimeAsync(9_000);
  pages.askAgain([await pages.first()]);
  expect(a.asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  a.handle = by('a');
  for (let time = 0; time < 2; time++) pages.askAgain([await pages.first()]);
  expect(a.asked).toHaveBeenCalledTimes(2);
  expect(pages.isSilent('a')).toBe(true);
  await pages.meet();
  expect(pages.isSilent('a')).toBe(false);
});

it('how long a page has been asked is known while it is asked', async () => {
  const pages = known([page('a', null)]);
  expect(pages.waited('a')).toBeNull();
  const meeting = pages.meet();
  meeting.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(200);
  expect(pages.waited('a')).toBe(200);
  await vi.advanceTimersByTimeAsync(800);
  expect(pages.waited('a')).toBeNull();
});

it('a page that says it is here while it is asked is asked for what it has now', async () => {
  const late = page('a', null);
  const pages = known([late]);
  const meeting = pages.whoAnswers();
  await vi.advanceTimersByTimeAsync(100);
  late.handle = by('a');
  pages.here('a');
  expect(await meeting).toBe('a');
  await vi.advanceTimersByTimeAsync(1_000);
  // What became of the first asking is nothing to it.
  expect(pages.isSilent('a')).toBe(false);
  expect(pages.known('a')).not.toBeNull();
});

it('a port that died is replaced by a new one', async () => {
  const a = page('a', by('a'));
  const pages = known([a]);
  const dead = await pages.meet();
  a.close();
  expect(await pages.relay(request, dead)).toBeNull();
  expect(pages.known('a')).toBeNull();
  expect(await pages.whoAnswers()).toBe('a');
  // It is not forgotten for what an earlier one did.
  expect(await pages.relay(request, dead)).toBeNull();
  expect(pages.known('a')).not.toBeNull();
});

it('a page that is gone is forgotten, and nobody waits for it', async () => {
  const never = vi.fn<Handle>(() => new Promise<HttpResponse>(() => undefined));
  const windows = [page('gone', never)];
  const pages = known(windows);
  const waiting = pages.whoAnswers();
  await vi.waitFor(() => expect(never).toHaveBeenCalledOnce());
  windows.pop();
  expect(await pages.present()).toEqual([]);
  expect(await waiting).toBeUndefined();
  expect(pages.known('gone')).toBeNull();
});

it('a page that is gone while it is asked is not asked again', async () => {
  const gone = page('gone', null);
  const windows = [gone];
  const pages = known(windows);
  const meeting = expect(pages.meet()).rejects.toBeInstanceOf(LaneLost);
  await vi.waitFor(() => expect(gone.asked).toHaveBeenCalledOnce());
  windows.pop();
  await pages.present();
  await vi.advanceTimersByTimeAsync(1_000);
  await meeting;
  expect(gone.asked).toHaveBeenCalledOnce();
});

it('a page that cannot be written to is silent at once', async () => {
  const refuse = (): never => {
    throw new DOMException('refused by the test', 'InvalidStateError');
  };
  const pages = known([{ ...page('a', null), postMessage: refuse }]);
  await expect(pages.meet()).rejects.toBeInstanceOf(LaneLost);
  expect(pages.isSilent('a')).toBe(true);
});
