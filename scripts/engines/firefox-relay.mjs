#!/usr/bin/env node
// Firefox as Playwright starts it: what it is told comes through here, and what this Firefox does not know yet is
// taken for done, so long as no test is about it: Playwright tells each browser which colours its user prefers.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';
import { fileOf } from './find.mjs';

// Of a process group that Firefox is in, too: whoever wants to kill it all at once is told.
if (process.env['FIREFOX_PID'] !== undefined) writeFileSync(process.env['FIREFOX_PID'], String(process.pid));

const SPARED = new Set(['emulation.setMediaFeaturesOverride']);
const DOWNLOADS = new Set(['browsingContext.downloadWillBegin', 'browsingContext.downloadEnd']);

const browser = spawn(fileOf('firefox'), process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
browser.on('exit', (code) => process.exit(code ?? 1));
browser.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
process.on('SIGTERM', () => browser.kill());
process.on('exit', () => browser.kill());

createInterface({ input: browser.stderr }).on('line', (line) => {
  const [said, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
  if (said === undefined) console.error(line);
  else listen(String(address));
});

function listen(/** @type {string} */ address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('listening', () => console.error(`WebDriver BiDi listening on ws://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`));
  server.on('connection', (client, { url }) => relay(client, new WebSocket(address + url)));
}

function relay(/** @type {WebSocket} */ client, /** @type {WebSocket} */ firefox) {
  /** @type {Set<number>} commands whose refusal does not matter */
  const spared = new Set();
  const isOpen = new Promise((resolve) => firefox.once('open', resolve));
  client.on('message', async (data) => {
    const { id, method } = JSON.parse(String(data));
    if (SPARED.has(method)) spared.add(id);
    await isOpen;
    firefox.send(String(data));
  });
  firefox.on('message', (data) => {
    const message = JSON.parse(String(data));
    const { id, type, error, method, params } = message;
    const isSpared = spared.delete(id) && type === 'error' && error === 'unknown command';
    // Playwright tells downloads apart by navigations, and one that a page has begun by itself has none here.
    const isDownload = DOWNLOADS.has(method) && params.navigation === null;
    if (isSpared) client.send(JSON.stringify({ type: 'success', id, result: {} }));
    else if (isDownload) client.send(JSON.stringify({ ...message, params: { ...params, navigation: params.url } }));
    else client.send(String(data));
  });
  // Whoever has started it is gone.
  client.on('close', () => browser.kill());
  firefox.on('close', () => client.close());
}
