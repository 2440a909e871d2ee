// PGlite in the file system of the origin, which flushes its files after each statement.
import { PGlite } from '@electric-sql/pglite';
import { expose } from 'comlink';
import type { Post } from '../site/candidate.ts';
import type { Driver } from '../site/driver.ts';

let db: PGlite;
const rows = async <T>(sql: string, values: unknown[]): Promise<T[]> => (await db.query<T>(sql, values)).rows;

const driver: Driver = {
  async open() {
    db = await PGlite.create('opfs-ahp://posts');
  },
  async make() {
    await db.exec(`
      create table posts (id text primary key, author text not null, "createdAt" int8 not null, title text not null, body text not null, score int4 not null);
      create index posts_by_author on posts (author, "createdAt");
    `);
  },
  async create({ id, author, createdAt, title, body, score }) {
    await db.query('insert into posts values ($1, $2, $3, $4, $5, $6)', [id, author, createdAt, title, body, score]);
    return id;
  },
  async bulk(posts) {
    await db.query('insert into posts select * from json_populate_recordset(null::posts, $1::json)', [JSON.stringify(posts)]);
    return posts.map(({ id }) => id);
  },
  get: async (key) => (await rows<Post>('select * from posts where id = $1', [key]))[0] as Post,
  page: (author, from, size) =>
    rows<Post>('select * from posts where author = $1 and "createdAt" >= $2 order by "createdAt" limit $3', [author, from, size]),
  async update(key, score) {
    await db.query('update posts set score = $2 where id = $1', [key, score]);
  },
  count: async (below) => (await rows<{ count: number }>('select count(*) from posts where score < $1', [below]))[0]?.count ?? 0,
  close: () => db.close(),
};

expose(driver);
