// IndexedDB as one would use it by hand: a row per post, a native compound index.
import { expose } from 'comlink';
import type { Key, Post } from '../candidate.ts';
import type { Driver } from '../driver.ts';

let db: IDBDatabase;
let durability: IDBTransactionDurability = 'relaxed';

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when the transaction has ended. */
function write(act: (posts: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction('posts', 'readwrite', { durability });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    act(transaction.objectStore('posts'));
  });
}

const read = (): IDBObjectStore => db.transaction('posts', 'readonly').objectStore('posts');

const driver: Driver = {
  async open(mode) {
    durability = mode as IDBTransactionDurability;
    const opening = indexedDB.open('raw', 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('posts', { keyPath: 'id' }).createIndex('byAuthor', ['author', 'createdAt']);
    };
    db = await result(opening);
  },
  async make() {
    // Made as it was opened.
  },
  async create(post: Post): Promise<Key> {
    await write((posts) => {
      posts.add(post);
      posts.transaction.commit();
    });
    return post.id;
  },
  async bulk(many: readonly Post[]): Promise<readonly Key[]> {
    await write((posts) => {
      for (const post of many) posts.add(post);
      posts.transaction.commit();
    });
    return many.map(({ id }) => id);
  },
  get: (key: Key): Promise<Post> => result<Post>(read().get(key)),
  page(author: string, from: number, size: number): Promise<readonly Post[]> {
    const range = IDBKeyRange.bound([author, from], [author, Number.POSITIVE_INFINITY]);
    return result<Post[]>(read().index('byAuthor').getAll(range, size));
  },
  update: (key: Key, score: number): Promise<void> =>
    write((posts) => {
      const found = posts.get(key) as IDBRequest<Post>;
      found.onsuccess = () => {
        posts.put({ ...found.result, score });
        posts.transaction.commit();
      };
    }),
  async count(below: number): Promise<number> {
    const posts = await result<Post[]>(read().getAll());
    return posts.filter(({ score }) => score < below).length;
  },
  async close(): Promise<void> {
    db.close();
  },
};

expose(driver);
