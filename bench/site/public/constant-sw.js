// The floor of the `fetch` path: a service worker that answers at once, with a constant.
const headers = { 'content-type': 'application/json;charset=utf-8' };
const body = JSON.stringify({ resource: { ref: 1, ts: 1, data: 'x'.repeat(200) } });

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.method === 'POST') event.respondWith(new Response(body, { headers }));
});
