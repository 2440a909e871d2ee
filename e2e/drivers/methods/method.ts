// What a case of a client's method has at hand.
import type { Answer, When } from '../cases.ts';
import type { Client, Driver, Given, Query, Settings } from '../driver.ts';

/** A client with all that any generation's has; cases ask only for what theirs has. */
export interface FullClient extends Client {
  query<T>(expression: Given, options?: object): Promise<T>;
  queryWithMetrics(expression: Given, options?: object): Promise<{ readonly value: unknown; readonly metrics: Readonly<Record<string, number>> }>;
  paginate(set: Given, options?: object): PageHelper;
  ping(scope?: string, timeout?: number): Promise<string>;
  get<T>(path: unknown, query?: object): Promise<T>;
  post<T>(path: unknown, data?: object): Promise<T>;
  put<T>(path: unknown, data?: object): Promise<T>;
  patch<T>(path: unknown, data?: object): Promise<T>;
  delete<T>(path: unknown): Promise<T>;
  getLastTxnTime(): number | null;
  syncLastTxnTime(time: number): void;
  close(options?: object): Promise<void>;
}

export interface PageHelper {
  map(lambda: (element: object) => Given): PageHelper;
  filter(lambda: (element: object) => Given): PageHelper;
  each(consume: (page: unknown) => void): Promise<void>;
  eachReverse(consume: (page: unknown) => void): Promise<void>;
  nextPage(): Promise<unknown>;
  previousPage(): Promise<unknown>;
}

/** What an observer is told. */
export interface RequestResult {
  readonly method: string;
  readonly path: string;
  readonly statusCode: number;
  readonly responseRaw: string;
  readonly responseContent: unknown;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly startTime: number;
  readonly endTime: number;
}

export interface FullDriver extends Driver {
  readonly Client: new (settings: Settings & object) => FullClient;
  readonly clientLogger: { logger(log: (text: string) => void): (result: RequestResult) => void };
  readonly errors: Driver['errors'] & Readonly<Record<string, new (...given: never[]) => Error>>;
}

export interface Stage {
  readonly driver: FullDriver;
  readonly q: Query;
  /** May do anything in the database of the fixture. */
  readonly client: FullClient;
  readonly secret: string;
  /** Another client of that database, set up in its own way. */
  connect(settings: object): FullClient;
}

/** Cases by the method they are for, as `Client.query`. */
export type MethodCase = readonly [use: (stage: Stage) => unknown, answer: Answer, when?: When];
export type Methods = Readonly<Record<string, readonly MethodCase[]>>;

export const pagesOf = async (helper: PageHelper, way: 'each' | 'eachReverse' = 'each'): Promise<readonly unknown[]> => {
  const pages: unknown[] = [];
  await helper[way]((page) => void pages.push(page));
  return pages;
};
