import { cacheExchange, Client, fetchExchange, gql } from '@urql/core';

Object.assign(window, { urql: { cacheExchange, Client, fetchExchange, gql } });
