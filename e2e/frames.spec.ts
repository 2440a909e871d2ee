// Frames whose document has no address on the site: they are of the page's origin, and have its database.
import { expect, test } from './support/test.ts';

type Kind = 'srcdoc' | 'about:blank' | 'blob:';

/** Runs in the page: opens the database in a frame, and asks there by the page API and by a driver's address. */
function askInFrame([kind, address]: readonly [Kind, string]): Promise<unknown> {
  const script = `
    import { open } from '${address}';
    const post = () => fetch('https://db.fauna.com/', { method: 'POST', headers: { authorization: 'Bearer secret' }, body: '{"add":[1,2]}' });
    const ask = async () => {
      const db = await open({ serviceWorker: false });
      return [await db.query({ add: [1, 2] }), await (await post()).text(), (await db.status()).persistent];
    };
    parent.postMessage(await ask().catch(String), '*');`;
  const html = `<!doctype html><script type="module">${script}</script>`;
  const told = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
  const frame = document.createElement('iframe');
  if (kind === 'srcdoc') frame.srcdoc = html;
  if (kind === 'blob:') frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
  document.body.append(frame);
  if (kind === 'about:blank') frame.contentDocument?.body.append(Object.assign(frame.contentDocument.createElement('script'), { type: 'module', text: script }));
  return told;
}

for (const kind of ['srcdoc', 'about:blank', 'blob:'] as const) {
  test(`a frame of ${kind} has the database of its page`, async ({ page }) => {
    await page.route('**/plain.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto('/plain.html');
    expect(await page.evaluate(askInFrame, [kind, new URL('/vivarium.js', page.url()).href] as const)).toEqual([3, '{"resource":3}', true]);
  });
}
