// Who asks: tokens, identity, passwords (functions.md §13; brief §4.2 identity).
import { andThen } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { invalidToken, missingIdentity } from '../../errors/codes.ts';
import { part } from '../../errors/part.ts';
import { boolean, identifier, nothing, object, string } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import type { Effect } from '../../form/effect.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import type { Value } from '../../value/value.ts';
import type { WireId } from '../../wire/version.ts';

const SOURCE = 'functions.md §13; ast/functions/AuthFunctions';

const signIn = part(() => import('../sign-in.ts'));

/** Forms that only look at the caller. */
function observe(key: string, summary: string, example: Example, look: (ctx: EvalContext, at: Path) => Value, since?: WireId, effect: Effect = 'read'): Form {
  return form({
    params: { [key]: nothing },
    effect,
    since,
    source: SOURCE,
    summary,
    examples: [example],
    run: (_args, ctx, at) => look(ctx, at),
  });
}

/** A document; of a web token its subject. */
const identityOf = ({ caller }: EvalContext): Value | undefined => caller.identity ?? caller.payload?.get('sub');

function identity(ctx: EvalContext, at: Path): Value {
  const found = identityOf(ctx);
  if (found === undefined) throw missingIdentity(at);
  return found;
}

/** A token, or a key of this very database; of a web token what it says. */
const tokenOf = ({ caller, catalog }: EvalContext): Value =>
  caller.payload ?? (caller.credential?.scope === catalog.scope ? caller.credential : null);

function currentToken(ctx: EvalContext, at: Path): Value {
  const token = tokenOf(ctx);
  if (token === null) throw invalidToken(at);
  return token;
}

const hasIdentity = (ctx: EvalContext): boolean => identityOf(ctx) !== undefined;

export const identities: readonly Form[] = [
  observe('identity', 'The document that the secret stands for.', ['{"if":{"has_identity":null},"then":{"identity":null},"else":"none"}', '"none"'], identity),
  observe('current_identity', 'The document that the secret stands for.', ['{"if":{"has_current_identity":null},"then":{"current_identity":null},"else":"none"}', '"none"'], identity, '4'),
  observe('has_identity', 'Whether the secret stands for a document.', ['{"has_identity":null}', 'false'], hasIdentity),
  observe('has_current_identity', 'Whether the secret stands for a document.', ['{"has_current_identity":null}', 'false'], hasIdentity, '4'),
  observe('current_token', 'The token or key of the request.', ['{"if":{"has_current_token":null},"then":{"current_token":null},"else":"none"}', '"none"'], currentToken, '4'),
  observe('has_current_token', 'Whether the request has a token or key of this database.', ['{"has_current_token":null}', 'false'], (ctx) => tokenOf(ctx) !== null, '4', 'pure'),
  form({
    params: { key_from_secret: string },
    effect: 'read',
    source: SOURCE,
    summary: 'The key or token that a secret belongs to.',
    examples: [
      ['{"select":"role","from":{"key_from_secret":{"select":"secret","from":{"create_key":{"object":{"role":"server"}}}}}}', '"server"'],
    ],
    run: ({ key_from_secret: secret }, ctx, at) => andThen(signIn(), ({ keyFromSecret }) => keyFromSecret(secret, ctx, at)),
  }),
  form({
    params: { login: identifier, params: object },
    effect: 'write',
    source: SOURCE,
    summary: 'Makes a token for a document by its password.',
    examples: [
      [
        '{"select":["instance","id"],"from":{"login":{"ref":{"collection":"customers"},"id":"1"},"params":{"object":{"password":"owl"}}}}',
        '"1"',
      ],
    ],
    run: ({ login: document, params }, ctx, at) => andThen(signIn(), ({ login }) => login(document, params, ctx, at)),
  }),
  form({
    params: { identify: identifier, password: string },
    effect: 'read',
    source: SOURCE,
    summary: "Whether a password is a document's.",
    examples: [['{"identify":{"ref":{"collection":"customers"},"id":"1"},"password":"owl"}', 'true']],
    run: ({ identify: document, password }, ctx, at) => andThen(signIn(), ({ identify }) => identify(document, password, ctx, at)),
  }),
  form({
    params: { logout: boolean },
    effect: 'write',
    source: SOURCE,
    summary: 'Ends the token of the request, or all tokens of its document.',
    examples: [['{"logout":true}', 'false']],
    run: ({ logout: all }, ctx, at) => andThen(signIn(), ({ logout }) => logout(all, ctx, at)),
  }),
];
