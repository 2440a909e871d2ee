// How the engines on a database in this browser see and hear each other: they see each other's Web
// Locks, which end with whoever holds them, and hear each other over a BroadcastChannel.

/** What an engine shows of itself: that it is here, and that it writes. */
export type Role = 'here' | 'writes';

/** Ids of the other engines in each role. */
export type Others = Readonly<Record<Role, readonly string[]>>;

export type Message =
  /** Something was committed. */
  | { readonly kind: 'committed' }
  /** An engine has come. */
  | { readonly kind: 'here' }
  /** The engine `id` is about to write, and says so for the nth time. */
  | { readonly kind: 'writes'; readonly id: string; readonly nth: number }
  /** The engine `by` knows that. */
  | { readonly kind: 'noted'; readonly id: string; readonly nth: number; readonly by: string };

export interface Neighbours {
  readonly id: string;
  /** Takes on a role. Resolves once the others can see it, to a function that gives it up. */
  show(role: Role): Promise<() => void>;
  others(): Promise<Others>;
  send(message: Message): void;
  onMessage: (message: Message) => void;
  /** Milliseconds of a clock that is never set back. */
  clock(): number;
  /** Resolves after that many milliseconds. */
  pause(ms: number): Promise<void>;
  /** Sends and hears nothing any more. */
  close(): void;
}

/** `null` where the browser has no locks or channels, or none for this page. */
export function neighboursOf(database: string): Neighbours | null {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return null;
  const id = crypto.randomUUID();
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(`vivarium:${database}`);
  } catch {
    // Firefox refuses it to pages that may not store anything.
    return null;
  }
  const neighbours: Neighbours = {
    id,
    show: (role) =>
      new Promise((resolve, reject) => {
        locks.request(lockName(role, id, database), () => new Promise<void>((end) => resolve(end))).catch(reject);
      }),
    async others() {
      const others: Record<Role, string[]> = { here: [], writes: [] };
      for (const { name = '' } of (await locks.query()).held ?? []) {
        const [, role, other = '', of] = LOCK_NAME.exec(name) ?? [];
        if (of === database && other !== id) others[role as Role].push(other);
      }
      return others;
    },
    send: (message) => channel.postMessage(message),
    onMessage: () => undefined,
    clock: () => performance.now(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    close() {
      neighbours.send = () => undefined;
      channel.close();
    },
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => neighbours.onMessage(data);
  return neighbours;
}

/** An engine to come, which the others see already. */
export interface Coming {
  readonly around: Neighbours;
  readonly shown: ReturnType<Neighbours['show']>;
}

/** `null` where nobody can be seen. */
export type Appearance = Coming | null;

export function appear(database: string): Appearance {
  const around = neighboursOf(database);
  return around && coming(around);
}

export function coming(around: Neighbours): Coming {
  // It answers no requests yet, so there is nothing to break off.
  around.onMessage = (message) => message.kind === 'writes' && around.send({ ...message, kind: 'noted', by: around.id });
  const shown = around.show('here');
  // The engine hears of it when it comes.
  shown.catch(() => undefined);
  return { around, shown };
}

/** It does not come. */
export function vanish(appearance: Appearance): void {
  appearance?.shown.then((end) => end()).catch(() => undefined);
  appearance?.around.close();
}

/** Appears at once, for the first who asks: the browser takes some milliseconds for that, in which the engine is on its way. */
export function appearEarly(database: string): () => Appearance {
  let first: Appearance = appear(database);
  return () => {
    const its = first ?? appear(database);
    first = null;
    return its;
  };
}

const LOCK_NAME = /^vivarium-(here|writes):([^:]*):(.*)$/s;

export function lockName(role: Role, id: string, database: string): string {
  return `vivarium-${role}:${id}:${database}`;
}
