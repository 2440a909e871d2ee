// The collection of posts and the index over them in Vivarium's terms, the same wherever Vivarium is measured.

export const POSTS = { collection: 'posts' };
export const BY_AUTHOR = { index: 'posts_by_author' };

/** Queries that make them, to be asked one after the other. */
export const MAKE_POSTS: readonly unknown[] = [
  { create_collection: { object: { name: POSTS.collection } } },
  {
    create_index: {
      object: {
        name: BY_AUTHOR.index,
        source: POSTS,
        terms: [{ object: { field: ['data', 'author'] } }],
        values: [{ object: { field: ['data', 'createdAt'] } }, { object: { field: ['ref'] } }],
      },
    },
  },
];
