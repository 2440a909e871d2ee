// TinyBase: all of it in memory; its persister writes the whole store at each save.
import { expose } from 'comlink';
import { createIndexes, createStore } from 'tinybase';
import { createIndexedDbPersister } from 'tinybase/persisters/persister-indexed-db';
import type { Key, Post } from '../site/candidate.ts';
import type { Driver } from '../site/driver.ts';

const store = createStore();
const indexes = createIndexes(store);
const persister = createIndexedDbPersister(store, 'posts');
const timeOf = (key: Key): number => store.getCell('posts', key, 'createdAt') as number;
const postOf = (key: Key): Post => store.getRow('posts', key) as unknown as Post;
const put = (post: Post): unknown => store.setRow('posts', post.id, { ...post });

const driver: Driver = {
  async open() {
    await persister.load();
    indexes.setIndexDefinition('byAuthor', 'posts', 'author', 'createdAt');
  },
  async make() {
    // A table is there once it has a row.
  },
  async create(post) {
    put(post);
    await persister.save();
    return post.id;
  },
  async bulk(posts) {
    store.transaction(() => posts.forEach(put));
    await persister.save();
    return posts.map(({ id }) => id);
  },
  get: async (key) => postOf(key),
  async page(author, from, size) {
    const keys = indexes.getSliceRowIds('byAuthor', author);
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeOf(keys[middle] as Key) < from) low = middle + 1;
      else high = middle;
    }
    return keys.slice(low, low + size).map(postOf);
  },
  async update(key, score) {
    store.setCell('posts', key, 'score', score);
    await persister.save();
  },
  async count(below) {
    let count = 0;
    store.forEachRow('posts', (key) => {
      if ((store.getCell('posts', key, 'score') as number) < below) count++;
    });
    return count;
  },
  async close() {
    await persister.destroy();
  },
};

expose(driver);
