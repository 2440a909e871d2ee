import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client/core';

Object.assign(window, { apollo: { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } });
