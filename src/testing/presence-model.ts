// Lives of several engines that see and hear of each other late, from a seed: whatever one of them
// asks of the browser is answered when the seed lets it, what one says is heard when the seed lets
// it, and engines sleep in the middle and are killed. They change a log and read it. Whoever is told
// that it is alone reads what it has read before, and that must be all that was acknowledged.
import { coming, type Message, type Neighbours, type Role } from '../host/neighbours.ts';
import { presence, type Presence } from '../host/presence.ts';
import type { Gen } from './gen.ts';

interface Engine {
  readonly id: string;
  /** `null` while it is still on its way. */
  presence: Presence | null;
  readonly shown: Set<Role>;
  readonly around: Neighbours;
  /** Changes of the log that it has read or made. */
  seen: number;
  /** The period it has read in. */
  lookedIn: number | null;
  /** Before, it does nothing. */
  hasArrived: boolean;
  /** Changes under way. */
  writing: number;
  /** Of those, the ones that the database was told of. */
  sent: number;
}

/** What happens to an engine, not before its time and not while it sleeps. */
interface Event {
  readonly engine: string;
  readonly at: number;
  happen(): void;
}

const MOST_ENGINES = 4;
/** Enough for the last change to be made. */
const MOST_STEPS = 20_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class PresenceModel {
  private now = 0;
  /** Those that are asked. */
  private engines: Engine[] = [];
  /** Those that were closed, and end what they have begun. */
  private closed: Engine[] = [];
  private events: Event[] = [];
  private readonly asleep = new Map<string, number>();
  private opened = 0;
  /** Changes in the log. */
  private log = 0;
  /** Of those, how many whoever asked was told of. */
  private acknowledged = 0;
  private failure: Error | null = null;
  /** Reads that were answered without a look at the log. */
  answeredAlone = 0;
  /** Changes that were made. */
  get changes(): number {
    return this.log;
  }

  constructor(
    private readonly gen: Gen,
    private readonly steps: number,
  ) {}

  /** @throws whatever is told that cannot be */
  async run(): Promise<void> {
    for (let step = 0; step < this.steps; step++) {
      this.step();
      await turn();
      if (this.failure !== null) throw this.failure;
    }
    await this.settle();
  }

  /** Whoever lives on ends what it began, once nobody sleeps; then nobody is held up by anybody. */
  private async settle(): Promise<void> {
    this.asleep.clear();
    await this.until(() => this.engines.every(({ writing }) => writing === 0), 'a change waits for ever');
    await this.until(() => this.closed.every(({ shown }) => shown.size === 0), 'who has left is still to be seen');
    await this.until(() => this.engines.every((engine) => !engine.hasArrived || engine.presence?.period() !== null), 'somebody is never alone again');
    for (const engine of this.engines) engine.presence?.leave();
  }

  private async until(isSo: () => boolean, otherwise: string): Promise<void> {
    for (let step = 0; !isSo(); step++) {
      if (step === MOST_STEPS) throw new Error(otherwise);
      if (step % 20 === 0 || this.events.every(({ at }) => at > this.now)) this.now += 10;
      this.happen();
      await turn();
      if (this.failure !== null) throw this.failure;
    }
  }

  private step(): void {
    const what = this.gen.below(100);
    const awake = this.engines.filter(({ id, hasArrived }) => hasArrived && !this.isAsleep(id));
    if ((what < 2 && this.opened < MOST_ENGINES) || this.engines.length === 0) return this.open();
    const engine = this.gen.pick(this.engines);
    if (what < 5) return void this.asleep.set(engine.id, this.now + this.gen.pick([20, 200, 900, 1_050, 3_000]));
    if (what === 5 && this.engines.length > 1 && this.gen.below(4) === 0) return this.end(engine);
    if (what < 16) this.now += this.gen.pick([1, 5, 20, 20, 100, 400, 900]);
    else if (what < 40 && awake.length > 0) this.read(this.gen.pick(awake));
    else if (what < 42 && awake.length > 0) void this.write(this.gen.pick(awake));
    else this.happen();
  }

  private isAsleep(id: string): boolean {
    return (this.asleep.get(id) ?? 0) > this.now;
  }

  private happen(): void {
    const due = this.events.filter(({ engine, at }) => at <= this.now && !this.isAsleep(engine));
    if (due.length === 0) return;
    const event = this.gen.pick(due);
    this.events.splice(this.events.indexOf(event), 1);
    event.happen();
  }

  private later(engine: string, happen: () => void, ms = 0): void {
    this.events.push({ engine, at: this.now + ms, happen });
  }

  private open(): void {
    const id = `engine ${this.opened++}`;
    const around = this.neighbours(id);
    const engine: Engine = { id, around, presence: null, shown: new Set(), seen: 0, lookedIn: null, hasArrived: false, writing: 0, sent: 0 };
    this.engines.push(engine);
    const { shown } = coming(around);
    const come = (): void => {
      const here = (engine.presence = presence(around, shown));
      void here.arrived.then(() => (engine.hasArrived = true));
    };
    if (this.gen.bool()) come();
    else this.later(id, come, this.gen.pick([0, 20, 400, 1_500]));
  }

  /** Closed, or killed: then nothing of it goes on, but what the database was told of. */
  private end(engine: Engine): void {
    this.engines = this.engines.filter((other) => other !== engine);
    // Nobody is closed in the middle of a change.
    if (engine.presence !== null && engine.writing === 0 && this.gen.bool()) {
      engine.presence.leave();
      this.closed.push(engine);
    } else {
      if (this.gen.bool()) this.log += engine.sent;
      this.events = this.events.filter((event) => event.engine !== engine.id);
    }
  }

  private neighbours(id: string): Neighbours {
    const visible = (): Engine[] => [...this.engines, ...this.closed];
    const own = (): Engine | undefined => visible().find((engine) => engine.id === id);
    return {
      id,
      show: (role) =>
        new Promise((resolve) => {
          const attempt = (): void => {
            // A lock that is held is waited for, also by its holder.
            if (own()?.shown.has(role) === true) return this.later(id, attempt);
            own()?.shown.add(role);
            // Seen before who shows it is told.
            this.later(id, () => resolve(() => own()?.shown.delete(role)));
          };
          this.later(id, attempt);
        }),
      others: () =>
        new Promise((resolve) => {
          this.later(id, () => {
            const seen = (role: Role): string[] => visible().filter((engine) => engine.id !== id && engine.shown.has(role)).map((engine) => engine.id);
            const others = { here: seen('here'), writes: seen('writes') };
            this.later(id, () => resolve(others));
          });
        }),
      send: (message) => {
        for (const engine of this.engines) if (engine.id !== id) this.deliver(engine, message);
      },
      onMessage: () => undefined,
      clock: () => this.now,
      pause: (ms) => new Promise((resolve) => this.later(id, resolve, ms)),
      close: () => undefined,
    };
  }

  private deliver({ id, around }: Engine, message: Message): void {
    this.later(id, () => around.onMessage(message));
  }

  private read(engine: Engine): void {
    const period = engine.presence?.period() ?? null;
    if (period !== null && period === engine.lookedIn) {
      this.answeredAlone++;
      if (engine.seen < this.acknowledged) this.failure = new Error(`${engine.id} answers by ${engine.seen} changes, when ${this.acknowledged} were acknowledged`);
      return;
    }
    // The browser looks, and tells of it later.
    this.later(engine.id, () => {
      const { log } = this;
      this.later(engine.id, () => {
        engine.seen = Math.max(engine.seen, log);
        engine.lookedIn = period;
      });
    });
  }

  private async write(engine: Engine): Promise<void> {
    engine.writing++;
    const made = engine.presence?.write(
      () =>
        new Promise<void>((resolve) => {
          engine.sent++;
          this.later(engine.id, () => {
            const made = ++this.log;
            engine.sent--;
            this.later(engine.id, () => {
              // One that writes after others have written was shown what they wrote.
              engine.seen = Math.max(engine.seen, made);
              this.acknowledged = Math.max(this.acknowledged, made);
              resolve();
            });
          });
        }),
    );
    // The browser may be too slow for it.
    await made?.catch(() => undefined);
    engine.writing--;
  }
}
