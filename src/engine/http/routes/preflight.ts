// What a browser asks before a page of another origin may send a request. Loaded when it does.
import { type Answer, TEXT_TYPE } from '../answer.ts';

const ALLOWED_HEADERS = [
  'accept-encoding', 'authorization', 'content-type', 'x-driver-env', 'x-faunadb-api-version', 'x-fauna-driver', 'x-fauna-source',
  'x-fauna-tags', 'x-format', 'x-last-seen-txn', 'x-last-txn-ts', 'x-linearized', 'x-max-contention-retries',
  'x-max-retries-on-contention', 'x-query-tags', 'x-query-timeout', 'x-query-timeout-ms', 'x-runtime-environment',
  'x-runtime-environment-os', 'x-nodejs-version', 'x-schema-preview', 'traceparent', 'x-typecheck', 'x-performance-hints',
].join(', ');

/** The answer to a preflight. */
export const preflight: Answer = {
  status: 200,
  text: '',
  type: TEXT_TYPE,
  headers: {
    'access-control-max-age': '86400',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': ALLOWED_HEADERS,
  },
};
