import { expect, it } from 'vitest';
import { connectMessage, connectPort, hereMessage, isHere, PROTOCOL } from './handshake.ts';

const port = new MessageChannel().port1;

it('a page takes the port of a message for its own database', () => {
  expect(connectPort({ data: connectMessage('mine'), ports: [port] }, 'mine')).toBe(port);
});

it.each([
  ['another database', connectMessage('other')],
  ['another protocol', { ...connectMessage('mine'), protocol: PROTOCOL + 1 }],
  ['an application', { type: 'connect', name: 'mine' }],
  ['nobody in particular', null],
  ['a string', 'connect'],
])('a message of %s is left alone', (_, data) => {
  expect(connectPort({ data, ports: [port] }, 'mine')).toBeUndefined();
});

it('a message that has lost its port is left alone', () => {
  expect(connectPort({ data: connectMessage('mine'), ports: [] }, 'mine')).toBeUndefined();
});

it('only our own word says that an engine is here', () => {
  expect(isHere(hereMessage())).toBe(true);
  expect(isHere({ vivarium: 'connect' })).toBe(false);
  expect(isHere('here')).toBe(false);
});
