import { expose } from 'comlink';
import { Dexie, type Table } from 'dexie';
import type { Key, Post } from '../site/candidate.ts';
import type { Driver } from '../site/driver.ts';

const db = new Dexie('posts');
db.version(1).stores({ posts: 'id,[author+createdAt]' });
const posts: Table<Post, Key> = db.table('posts');

const driver: Driver = {
  async open() {
    await db.open();
  },
  async make() {
    // Made as it was opened.
  },
  create: (post) => Promise.resolve(posts.add(post)),
  bulk: (many) => Promise.resolve(posts.bulkAdd(many, { allKeys: true })),
  get: async (key) => (await posts.get(key)) as Post,
  page: (author, from, size) =>
    Promise.resolve(posts.where('[author+createdAt]').between([author, from], [author, Dexie.maxKey]).limit(size).toArray()),
  async update(key, score) {
    await posts.update(key, { score });
  },
  count: (below) => Promise.resolve(posts.filter(({ score }) => score < below).count()),
  async close() {
    db.close();
  },
};

expose(driver);
