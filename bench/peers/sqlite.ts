// sqlite-wasm over a pool of sync access handles: with its defaults (a rollback journal,
// `synchronous = full`), or with a write-ahead log, which needs exclusive locking there.
import sqlite3InitModule, { type OpfsSAHPoolDatabase, type PreparedStatement, type SqlValue } from '@sqlite.org/sqlite-wasm';
import { expose } from 'comlink';
import type { Post } from '../site/candidate.ts';
import type { Driver } from '../site/driver.ts';

let db: OpfsSAHPoolDatabase;
const prepared = new Map<string, PreparedStatement>();

/** All rows of a statement, which is prepared once. */
function run(sql: string, values: readonly SqlValue[]): unknown[] {
  let statement = prepared.get(sql);
  if (statement === undefined) prepared.set(sql, (statement = db.prepare(sql)));
  statement.bind([...values]);
  const rows: unknown[] = [];
  while (statement.step()) rows.push(statement.get({}));
  statement.reset();
  return rows;
}

const INSERT = 'insert into posts values (?, ?, ?, ?, ?, ?)';
const insert = ({ id, author, createdAt, title, body, score }: Post): unknown => run(INSERT, [id, author, createdAt, title, body, score]);

const driver: Driver = {
  async open(mode) {
    const sqlite3 = await sqlite3InitModule();
    const pool = await sqlite3.installOpfsSAHPoolVfs({});
    db = new pool.OpfsSAHPoolDb('/posts.db');
    if (mode !== 'wal') return;
    db.exec('pragma locking_mode = exclusive');
    if (db.selectValue('pragma journal_mode = wal') !== 'wal') throw new Error('no write-ahead log');
    db.exec('pragma synchronous = full');
  },
  async make() {
    db.exec(`
      create table posts (id text primary key, author text not null, createdAt integer not null, title text not null, body text not null, score integer not null);
      create index posts_by_author on posts (author, createdAt);
    `);
  },
  async create(post) {
    insert(post);
    return post.id;
  },
  async bulk(posts) {
    db.transaction(() => posts.forEach(insert));
    return posts.map(({ id }) => id);
  },
  get: async (key) => run('select * from posts where id = ?', [key])[0] as Post,
  page: async (author, from, size) =>
    run('select * from posts where author = ? and createdAt >= ? order by createdAt limit ?', [author, from, size]) as Post[],
  async update(key, score) {
    run('update posts set score = ? where id = ?', [score, key]);
  },
  count: async (below) => (run('select count(*) as count from posts where score < ?', [below])[0] as { count: number }).count,
  async close() {
    for (const statement of prepared.values()) statement.finalize();
    db.close();
  },
};

expose(driver);
