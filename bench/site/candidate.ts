// What is measured: a store of posts with one compound index. A candidate is one file, named
// in the list of its page; it does not know how it is measured.

/** About 200 bytes as JSON. */
export interface Post {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly author: string;
  /** Milliseconds, ascending from post to post. */
  readonly createdAt: number;
  readonly title: string;
  readonly body: string;
  readonly score: number;
}

/** How a candidate names a stored post; only it can read that. */
export type Key = string;

/** Operations of an open database. */
export interface Store {
  /** Makes what the posts need, in a database that is new. */
  make(): Promise<void>;
  /** Resolves when the post is as durable as the candidate says it makes it. */
  create(post: Post): Promise<Key>;
  /** All in one request or transaction; keys in the order of the posts. */
  bulk(posts: readonly Post[]): Promise<readonly Key[]>;
  get(key: Key): Promise<Post>;
  /** Posts of one author from a time on, in order of time, at most `size`; found by the index (author, createdAt). */
  page(author: string, from: number, size: number): Promise<readonly Post[]>;
  /** Sets the score. */
  update(key: Key, score: number): Promise<void>;
  /** How many posts have a score under this one. No index helps. */
  count(below: number): Promise<number>;
  close(): Promise<void>;
}

export interface Candidate {
  readonly name: string;
  /** Opens the database, new or not. */
  open(): Promise<Store>;
}
