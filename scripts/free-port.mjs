import { createServer } from 'node:net';

/** A port of this machine that nothing listens on; another program may take it before it is used. @returns {Promise<number>} */
export const freePort = () => listened(0);

/** Whether something listens on a port. @returns {Promise<boolean>} */
export const isTaken = (/** @type {number} */ port) => listened(port).then(() => false, (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== 'EADDRINUSE') throw error;
  return true;
});

/** Listens on a port for a moment, 0: on any. @returns {Promise<number>} that port */
const listened = (/** @type {number} */ port) => new Promise((resolve, reject) => {
  const server = createServer().once('error', reject).listen(port, () => {
    const address = server.address();
    server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
  });
});
