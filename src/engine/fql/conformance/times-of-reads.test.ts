// The time of a read and the time around it (reference: fql/functions.md §1.3, data/documents.md §4).
import { conforms } from '../../../testing/cases.ts';

const S1 = '{"ref":{"collection":"spells"},"id":"1"}';
const FIRE = '{"match":{"index":"by_element"},"terms":"fire"}';
const world = [
  '{"create_collection":{"object":{"name":"spells","history_days":null}}}',
  '{"create_index":{"object":{"name":"by_element","source":{"collection":"spells"},"terms":{"object":{"field":["data","element"]}}}}}',
  `{"create":${S1},"params":{"object":{"data":{"object":{"element":"fire","cost":10}}}}}`,
];
const FUTURE = '{"time":"2100-01-01T00:00:00Z"}';
const longAgo = (read: string): string => `{"at":1,"expr":${read}}`;

conforms('a read with a time of its own that lies in the future is one of the present, wherever it stands; `at` such a time changes nothing', { world }, [
  [longAgo(`{"exists":${S1}}`), 'false'],
  [longAgo(`{"exists":${S1},"ts":${FUTURE}}`), 'true'],
  [longAgo(`{"select":["data","cost"],"from":{"get":${S1},"ts":${FUTURE}}}`), '10'],
  [longAgo(`{"select":["data","cost"],"from":{"get":${FIRE},"ts":${FUTURE}}}`), '10'],
  [longAgo(`{"count":{"paginate":${FIRE},"ts":${FUTURE}}}`), '{"data":[1]}'],
  [longAgo(`{"at":${FUTURE},"expr":{"exists":${S1}}}`), 'false'],
]);
