// Clients of FQL 10 speak another protocol, at paths of their own, and read failures of their own form
// (reference: fql/wire.md §5, product.md §3). Loaded when one comes.
import type { Answer } from '../answer.ts';

const MESSAGE = 'FQL version 10 is not supported: this database answers FQL version 4 (the driver faunadb) and GraphQL.';

export const fql10: Answer = { status: 400, text: JSON.stringify({ error: { code: 'invalid_request', message: MESSAGE }, summary: '' }) };
