// A database in a page without a network, asked in one of the wire's forms by both of the
// browser's interfaces.
import type { Page } from 'playwright/test';
import { type Answered, type Asked, send, type Via } from './http.ts';
import { openOffline } from './page.ts';
import { expect, test } from './test.ts';
import { V2, V4, type Wire } from './wire.ts';

const BOTH: readonly Via[] = ['fetch', 'XMLHttpRequest'];

export class Database {
  private turn = 0;

  constructor(
    readonly wire: Wire,
    private readonly page: Page,
  ) {}

  /** Sends a request with the root secret and this form's version, by each interface in its turn. */
  send(asked: Asked, via: Via = BOTH[this.turn++ % 2] ?? 'fetch'): Promise<Answered> {
    return send(this.page, via, { ...asked, headers: { ...this.wire.headers, ...asked.headers } });
  }

  /** @param query JSON text, or what it is made of */
  ask(query: unknown, via?: Via): Promise<Answered> {
    return this.send({ body: textOf(query) }, via);
  }

  /** Asks by both interfaces, so this is for what does not write, and expects exactly this status and text of each. */
  async expect(query: unknown, text: string, status = 200): Promise<void> {
    for (const via of BOTH) {
      const answer = await this.ask(query, via);
      expect.soft({ status: answer.status, text: answer.text }, `${via} ${textOf(query)}`).toEqual({ status, text });
    }
  }

  /** Asks and expects this result. */
  gives(query: unknown, resource: string): Promise<void> {
    return this.expect(query, `{"resource":${resource}}`);
  }

  /** Asks and expects these fields, in whatever order: that of a schema document's is not told. */
  async shows(query: unknown, resource: string): Promise<void> {
    for (const via of BOTH) {
      const { status, text } = await this.ask(query, via);
      expect.soft({ status, body: JSON.parse(text) as unknown }, `${via} ${textOf(query)}`).toEqual({ status: 200, body: { resource: JSON.parse(resource) as unknown } });
    }
  }

  /** Asks and expects this one error. */
  fails(query: unknown, status: number, position: string, code: string, description: string): Promise<void> {
    return this.expect(query, errorText(position, code, description), status);
  }

  /** Asks once for something that has to succeed, and expects this status and these fields; the time of the version it gives. */
  async writes(query: unknown, status: 200 | 201, shown: (ts: number) => string): Promise<number> {
    const answer = await this.ask(query);
    const ts = timeIn(answer.text);
    const body = { resource: JSON.parse(shown(ts)) as unknown };
    expect.soft({ status: answer.status, body: JSON.parse(answer.text) as unknown }, textOf(query)).toEqual({ status, body });
    return ts;
  }

  /** Asks once for something that has to succeed; the time of the version it gives. */
  async write(query: unknown): Promise<number> {
    const { status, text } = await this.ask(query);
    expect([200, 201], text).toContain(status);
    return timeIn(text);
  }

  /** The result of a query that has to succeed. */
  async value<T>(query: unknown): Promise<T> {
    const { status, text } = await this.ask(query);
    expect([200, 201], text).toContain(status);
    return (JSON.parse(text) as { resource: T }).resource;
  }
}

const textOf = (query: unknown): string => (typeof query === 'string' ? query : JSON.stringify(query));
const timeIn = (text: string): number => Number(/"ts":(\d+)/.exec(text)?.[1]);

const errorText = (position: string, code: string, description: string): string =>
  `{"errors":[{"position":${position},"code":"${code}","description":${JSON.stringify(description)}}]}`;

const FORMS = [V2, V4] as const;
const titled = (title: string, { version }: Wire): string => `${title} (version ${version})`;

/** The same test in both versions. */
export function inBothForms(title: string, body: (database: Database) => Promise<void>): void {
  for (const wire of FORMS) test(titled(title, wire), async ({ shared }) => body(new Database(wire, shared)));
}

/** The same in a page that has just come, and has asked for nothing. */
export function inBothFormsAtFirst(title: string, body: (database: Database) => Promise<void>): void {
  for (const wire of FORMS) {
    test(titled(title, wire), async ({ page }) => {
      await openOffline(page);
      await body(new Database(wire, page));
    });
  }
}
