import { expose } from 'comlink';
import { createRxDatabase, type RxCollection, type RxDatabase, type RxDocument } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import type { Post } from '../site/candidate.ts';
import type { Driver } from '../site/driver.ts';

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const;
const whole = (maximum: number) => ({ type: 'integer', minimum: 0, maximum, multipleOf: 1 }) as const;

const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { id: text(16), author: text(20), createdAt: whole(4e12), title: text(100), body: text(500), score: whole(10_000) },
  required: ['id', 'author', 'createdAt', 'title', 'body', 'score'],
  indexes: [['author', 'createdAt']],
} as const;

let db: RxDatabase;
let posts: RxCollection<Post>;
const plain = (document: RxDocument<Post>): Post => document.toMutableJSON();
const find = async (key: string): Promise<RxDocument<Post>> => (await posts.findOne(key).exec()) as RxDocument<Post>;

const driver: Driver = {
  async open() {
    db = await createRxDatabase({ name: 'posts', storage: getRxStorageDexie(), allowSlowCount: true });
    ({ posts } = (await db.addCollections({ posts: { schema } })) as { posts: RxCollection<Post> });
  },
  async make() {
    // Made as it was opened.
  },
  async create(post) {
    await posts.insert(post);
    return post.id;
  },
  async bulk(many) {
    const { error } = await posts.bulkInsert([...many]);
    if (error[0] !== undefined) throw new Error('not all were inserted');
    return many.map(({ id }) => id);
  },
  get: async (key) => plain(await find(key)),
  async page(author, from, limit) {
    const query = posts.find({ selector: { author, createdAt: { $gte: from } }, sort: [{ author: 'asc' }, { createdAt: 'asc' }], limit });
    return (await query.exec()).map(plain);
  },
  async update(key, score) {
    await (await find(key)).incrementalPatch({ score });
  },
  count: (below) => posts.count({ selector: { score: { $lt: below } } }).exec(),
  async close() {
    await db.close();
  },
};

expose(driver);
