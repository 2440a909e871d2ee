import { logStoreLaws } from '../../testing/laws/log-store.ts';
import { memoryLog, memoryLogStore } from './memory.ts';

logStoreLaws('memory', async () => {
  const log = memoryLog();
  return { store: () => memoryLogStore(log), dispose: async () => {} };
});
