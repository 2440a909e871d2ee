// graphql-request, Apollo Client and urql, unmodified, against this origin and against
// https://graphql.fauna.com.
import { loadClient } from './support/clients.ts';
import { ROOT, send } from './support/http.ts';
import { expect, test } from './support/test.ts';

type WindowR = { readonly graphqlRequest: typeof import('graphql-request') & Pick<typeof import('graphql'), 'buildClientSchema' | 'getIntrospectionQuery' | 'printSchema'> };
type WindowA = { readonly apollo: typeof import('@apollo/client/core') };
type WindowU = { readonly urql: typeof import('@urql/core') };

const SDL = `type User { name: String! @unique age: Int address: Address }
type Address @embedded { city: String! }
type Query { allUsers: [User!] usersByAge(age: Int!): [User!] }`;

for (const gateway of ['', 'https://graphql.fauna.com']) {
  test.describe(`at ${gateway || 'this origin'}`, () => {
    test.beforeEach(async ({ shared: page }) => {
      expect((await send(page, 'fetch', { path: `${gateway}/import`, body: SDL, headers: { Authorization: ROOT } })).status).toBe(200);
    });

    test('graphql-request creates, lists, updates, deletes and introspects', async ({ shared: page }) => {
      await loadClient(page, 'graphql-request');
      const seen = await page.evaluate(async (base) => {
        const { ClientError, GraphQLClient, gql, buildClientSchema, getIntrospectionQuery, printSchema } = (window as unknown as WindowR).graphqlRequest;
        const client = new GraphQLClient(`${base || location.origin}/graphql`, { headers: { authorization: 'Bearer secret' } });
        type User = { _id: string; _ts: number; name: string; age: number | null; address: { city: string } | null };
        type UserPage = { data: User[]; before: string | null; after: string | null };
        const create = gql`mutation Create($data: UserInput!) { createUser(data: $data) { _id _ts name age address { city } } }`;
        const created: User[] = [];
        for (const [at, name] of ['Ann', 'Bob', 'Cid', 'Dan', 'Eve'].entries()) {
          const data = { name, age: 30 + (at % 2), address: at === 0 ? { city: 'Oslo' } : null };
          created.push((await client.request<{ createUser: User }>(create, { data })).createUser);
        }
        const list = gql`query List($size: Int, $cursor: String) { allUsers(_size: $size, _cursor: $cursor) { data { name } before after } }`;
        const pages: UserPage[] = [];
        for (let cursor: string | null = null; ; cursor = pages.at(-1)?.after ?? null) {
          pages.push((await client.request<{ allUsers: UserPage }>(list, { size: 2, cursor })).allUsers);
          if (pages.at(-1)?.after == null) break;
        }
        const back = (await client.request<{ allUsers: UserPage }>(list, { size: 2, cursor: pages[1]?.before })).allUsers;
        const byAge = await client.request<{ usersByAge: UserPage }>(gql`{ usersByAge(age: 31) { data { name } } }`);
        const id = created[0]?._id;
        const find = gql`query Find($id: ID!) { findUserByID(id: $id) { name age address { city } } }`;
        const found = await client.request(find, { id });
        const updated = await client.request(gql`mutation($id: ID!, $data: UserInput!) { updateUser(id: $id, data: $data) { name age } }`, { id, data: { name: 'Anna', age: 40 } });
        const partly = await client.request(gql`mutation($id: ID!) { partialUpdateUser(id: $id, data: { age: 41 }) { name age address { city } } }`, { id });
        const unique = await client.request(create, { data: { name: 'Bob' } }).then(() => null, (error: unknown) => error);
        const unknown = await client.request(gql`{ nothing }`).then(() => null, (error: unknown) => error);
        const deleted = await client.request(gql`mutation($id: ID!) { deleteUser(id: $id) { name } }`, { id });
        const gone = await client.request(find, { id });
        const again = await client.request(gql`mutation($id: ID!) { deleteUser(id: $id) { name } }`, { id });
        const count = (await client.request<{ allUsers: UserPage }>(list, { size: 100 })).allUsers.data.length;
        const schema = printSchema(buildClientSchema(await client.request(getIntrospectionQuery())));
        const raw = await client.rawRequest(gql`{ __typename }`);
        const problem = (error: unknown): unknown =>
          error instanceof ClientError ? { status: error.response.status, errors: JSON.parse(JSON.stringify(error.response.errors)) as unknown, data: error.response.data } : String(error);
        return {
          first: created[0], idsAndTimes: created.every(({ _id, _ts }) => /^\d{18}$/.test(_id) && Number.isInteger(_ts)), back: back.data,
          pages: pages.map(({ data, before, after }) => [data.map(({ name }) => name), before !== null, after !== null]), byAge, found, updated, partly,
          unique: problem(unique), unknown: problem(unknown), deleted, gone, again, count, schema, typename: raw.data, status: raw.status, txn: raw.headers.get('x-txn-time'),
        };
      }, gateway);

      expect(seen).toMatchObject({
        first: { name: 'Ann', age: 30, address: { city: 'Oslo' } },
        idsAndTimes: true,
        pages: [[['Ann', 'Bob'], false, true], [['Cid', 'Dan'], true, true], [['Eve'], true, false]],
        back: [{ name: 'Ann' }, { name: 'Bob' }],
        byAge: { usersByAge: { data: [{ name: 'Bob' }, { name: 'Dan' }] } },
        found: { findUserByID: { name: 'Ann', age: 30, address: { city: 'Oslo' } } },
        updated: { updateUser: { name: 'Anna', age: 40 } },
        partly: { partialUpdateUser: { name: 'Anna', age: 41, address: { city: 'Oslo' } } },
        unique: { status: 200, errors: [{ message: 'Instance is not unique.', extensions: { code: 'instance not unique' } }] },
        unknown: { status: 200, data: null, errors: [{ locations: [{ line: 1, column: 3 }], message: expect.stringMatching(/^Cannot query field 'nothing' on type 'Query'\. \(line 1, column 3\):\n/) }] },
        deleted: { deleteUser: { name: 'Anna' } }, gone: { findUserByID: null }, again: { deleteUser: null }, count: 4,
        typename: { __typename: 'Query' }, status: 200, txn: expect.stringMatching(/^\d+$/),
      });
      for (const line of [
        'findUserByID(', '_size: Int', '_cursor: String', ': UserPage!', 'createUser(', 'data: UserInput!', 'updateUser(', 'partialUpdateUser(',
        'deleteUser(', 'input UserInput {', 'input PartialUpdateUserInput {', 'type UserPage {', 'data: [User]!', 'after: String', '_ts: Long!', '_id: ID!', 'input AddressInput {',
      ]) {
        expect.soft(seen.schema).toContain(line);
      }
    });

    test('Apollo Client queries, mutates, caches and reports errors', async ({ shared: page }) => {
      await loadClient(page, 'apollo');
      const seen = await page.evaluate(async (base) => {
        const { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } = (window as unknown as WindowA).apollo;
        const connect = (secret: string) => new ApolloClient({
          link: new HttpLink({ uri: `${base || ''}/graphql`, headers: { authorization: `Bearer ${secret}` } }),
          cache: new InMemoryCache({ typePolicies: { User: { keyFields: ['_id'] } } }),
        });
        const client = connect('secret');
        type User = { _id: string; name: string; age: number | null };
        const CREATE = gql`mutation Create($data: UserInput!) { createUser(data: $data) { _id name age } }`;
        const LIST = gql`query List($size: Int, $cursor: String) { allUsers(_size: $size, _cursor: $cursor) { data { _id name age } after } }`;
        const names = ['Ann', 'Bob', 'Cid'];
        const users: User[] = [];
        for (const name of names) {
          const { data } = await client.mutate<{ createUser: User }>({ mutation: CREATE, variables: { data: { name, age: 30 } } });
          if (data?.createUser !== undefined) users.push(data.createUser as User);
        }
        type List = { allUsers: { data: User[]; after: string | null } };
        const first = (await client.query<List>({ query: LIST, variables: { size: 2 } })).data;
        const second = (await client.query<List>({ query: LIST, variables: { size: 2, cursor: first?.allUsers.after } })).data;
        const id = users[0]?._id;
        await client.mutate({ mutation: gql`mutation($id: ID!) { partialUpdateUser(id: $id, data: { age: 31 }) { _id name age } }`, variables: { id } });
        // From the cache: the mutation's answer has changed the list that was read before.
        const cached = (await client.query<List>({ query: LIST, variables: { size: 2 } })).data;
        const fresh = (await client.query<List>({ query: LIST, variables: { size: 2 }, fetchPolicy: 'network-only' })).data;
        const updated = (await client.mutate<object>({ mutation: gql`mutation($id: ID!) { updateUser(id: $id, data: { name: "Anna" }) { _id name } }`, variables: { id } })).data;
        const deleted = (await client.mutate<object>({ mutation: gql`mutation($id: ID!) { deleteUser(id: $id) { _id name } }`, variables: { id } })).data;
        const problem = async (promise: Promise<unknown>): Promise<unknown> => {
          const error = await promise.then(() => null, (reason: unknown) => reason);
          return CombinedGraphQLErrors.is(error) ? error.errors.map(({ message, extensions }) => ({ message, code: extensions?.['code'] })) : String(error);
        };
        const unique = await problem(client.mutate({ mutation: CREATE, variables: { data: { name: 'Bob' } } }));
        const variable = await problem(client.mutate({ mutation: CREATE, variables: { data: { name: 'Eve', age: 'old' } } }));
        const secret = await problem(connect('wrong').query({ query: LIST }));
        const types = (await client.query<{ __schema: { queryType: { name: string } } }>({ query: gql`{ __schema { queryType { name } } }` })).data?.__schema.queryType.name;
        const shown = (list: List | undefined): unknown => list?.allUsers.data.map(({ name, age }) => `${name} ${age}`);
        return { first: shown(first), second: shown(second), cached: shown(cached), fresh: shown(fresh), updated, deleted, unique, variable, secret, types };
      }, gateway);

      expect(seen).toMatchObject({
        first: ['Ann 30', 'Bob 30'], second: ['Cid 30'], cached: ['Ann 31', 'Bob 30'], fresh: ['Ann 31', 'Bob 30'],
        updated: { updateUser: { __typename: 'User', name: 'Anna' } }, deleted: { deleteUser: { __typename: 'User', name: 'Anna' } },
        unique: [{ message: 'Instance is not unique.', code: 'instance not unique' }],
        variable: [{ message: expect.stringMatching(/^Variable '\$data' expected value of type 'UserInput!' but got: /) }],
        secret: [{ message: 'Invalid database secret.' }],
        types: 'Query',
      });
    });

    test('urql asks in the address, as it does by default, and mutates', async ({ shared: page }) => {
      await loadClient(page, 'urql');
      const seen = await page.evaluate(async (base) => {
        const { cacheExchange, Client, fetchExchange, gql } = (window as unknown as WindowU).urql;
        const methods: string[] = [];
        const client = new Client({
          url: `${base || location.origin}/graphql`,
          exchanges: [cacheExchange, fetchExchange],
          fetchOptions: { headers: { authorization: 'Bearer secret' } },
          fetch: (input, init) => (methods.push(init?.method ?? 'GET'), fetch(input, init)),
        });
        const create = await client.mutation(gql`mutation($data: UserInput!) { createUser(data: $data) { name } }`, { data: { name: 'Ann & Bob', age: 30 } });
        const list = await client.query(gql`query List($age: Int!) { usersByAge(age: $age) { data { name } } }`, { age: 30 });
        const wrong = await client.query(gql`{ nothing }`, {});
        return { create: create.data, list: list.data, wrong: wrong.error?.message, methods };
      }, gateway);
      expect(seen).toMatchObject({
        create: { createUser: { name: 'Ann & Bob' } },
        list: { usersByAge: { data: [{ name: 'Ann & Bob' }] } },
        wrong: expect.stringContaining("Cannot query field 'nothing' on type 'Query'."),
        methods: ['POST', 'GET', 'GET'],
      });
    });
  });
}
