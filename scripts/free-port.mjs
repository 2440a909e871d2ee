import { createServer } from 'node:net';

/** A port of this machine that nothing listens on; another program may take it before it is used. @returns {Promise<number>} */
export const freePort = () => new Promise((resolve, reject) => {
  const server = createServer().once('error', reject).listen(0, () => {
    const address = server.address();
    server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
  });
});
