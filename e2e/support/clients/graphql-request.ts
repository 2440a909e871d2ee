import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { ClientError, GraphQLClient, gql } from 'graphql-request';

Object.assign(window, { graphqlRequest: { ClientError, GraphQLClient, gql, buildClientSchema, getIntrospectionQuery, printSchema } });
