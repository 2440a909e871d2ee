// A program that is started for the tests, listened to, and ended with all it has started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Program {
  /** Resolves when what it has said so far matches. @throws Error when it ends first, or says nothing of the kind in half a minute */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Whether what it has said so far matches. */
  hasSaid(pattern: RegExp): boolean;
  /** False once it has ended, or could not be started. */
  lives(): boolean;
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;

export function start(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  // A process group of its own: what it starts ends with it.
  const child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let heard = '';
  const listeners = new Set<() => void>();
  const hear = (chunk: unknown): void => {
    heard += String(chunk);
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = once(child, 'exit').catch((error: unknown) => hear(error));

  const lives = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;

  return {
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const give = (settle: () => void): void => {
          clearTimeout(timer);
          listeners.delete(listen);
          settle();
        };
        const listen = (): void => {
          const match = pattern.exec(heard);
          if (match !== null) give(() => resolve(match));
        };
        const timer = setTimeout(() => give(() => reject(new Error(`${file} does not say ${pattern}: ${heard}`))), PATIENCE_MS);
        listeners.add(listen);
        void ended.then(() => give(() => reject(new Error(`${file} has ended: ${heard}`))));
        listen();
      }),
    hasSaid: (pattern) => pattern.test(heard),
    lives,
    async stop() {
      if (child.pid !== undefined && lives()) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
