// Who asks: tokens, identity, passwords (functions.md §13; brief §4.2 identity).
import { toBase64 } from '../../base/bytes.ts';
import { andThen, fold, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { authenticationFailed, invalidToken, missingIdentity, noKeyFound } from '../../errors/codes.ts';
import { part } from '../../errors/part.ts';
import { boolean, identifier, nothing, object, type SetLike, string } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import { allows } from '../../form/permission.ts';
import { holderOf } from '../../auth/home.ts';
import { secretOwner } from '../../auth/secret.ts';
import { belongingsOf, credentialsOf } from '../../doc/belongings.ts';
import { createDocument } from '../../doc/write.ts';
import { findDocument, shown } from '../../doc/read.ts';
import { stageDocument } from '../../doc/stage.ts';
import { edgeOf } from '../../set/read.ts';
import { NATIVE, Ref } from '../../value/ref.ts';
import type { Value } from '../../value/value.ts';

const SOURCE = 'functions.md §13; ast/functions/AuthFunctions';

const passwords = part(() => import('../../doc/credentials.ts'));

/** Forms that only look at the caller. */
function observe(key: string, summary: string, example: Example, look: (ctx: EvalContext, at: Path) => Value, since?: string): Form {
  return form({
    params: { [key]: nothing },
    effect: 'read',
    ...(since === undefined ? {} : { since }),
    source: SOURCE,
    summary,
    examples: [example],
    run: (_args, ctx, at) => look(ctx, at),
  });
}

function identity({ caller }: EvalContext, at: Path): Ref {
  if (caller.identity === null) throw missingIdentity(at);
  return caller.identity;
}

/** A token, or a key of this very database. */
const tokenOf = ({ caller, catalog }: EvalContext): Ref | null =>
  caller.credential !== null && caller.credential.scope === catalog.scope ? caller.credential : null;

function currentToken(ctx: EvalContext, at: Path): Ref {
  const token = tokenOf(ctx);
  if (token === null) throw invalidToken(at);
  return token;
}

const hasIdentity = ({ caller }: EvalContext): boolean => caller.identity !== null;

/** The document that a ref or the first entry of a set stands for. */
function subject(value: SetLike, ctx: EvalContext, at: Path): MaybePromise<Ref | null> {
  if (value instanceof Ref && !value.isNativeCollection) return value;
  return andThen(edgeOf(value, ctx, at), (entry) => entry?.ref ?? null);
}

/** Whether the password is the one in the document's credentials. */
function hasPassword(ref: Ref, password: string, ctx: EvalContext): MaybePromise<boolean> {
  return andThen(findDocument(ref, ctx), (doc) => {
    if (doc === null) return false;
    return andThen(credentialsOf(ref, ctx), (credentials) =>
      andThen(passwords(), ({ passwordMatches }) => passwordMatches(credentials?.fields.get('hashed_password'), password, ctx)),
    );
  });
}

const asAdmin = (ctx: EvalContext): EvalContext => ctx.with({ caller: { ...ctx.caller, rights: 'admin' } });

export const identities: readonly Form[] = [
  observe('identity', 'The document that the secret stands for.', ['{"if":{"has_identity":null},"then":{"identity":null},"else":"none"}', '"none"'], identity),
  observe('current_identity', 'The document that the secret stands for.', ['{"if":{"has_current_identity":null},"then":{"current_identity":null},"else":"none"}', '"none"'], identity, '4'),
  observe('has_identity', 'Whether the secret stands for a document.', ['{"has_identity":null}', 'false'], hasIdentity),
  observe('has_current_identity', 'Whether the secret stands for a document.', ['{"has_current_identity":null}', 'false'], hasIdentity, '4'),
  observe('current_token', 'The token or key of the request.', ['{"if":{"has_current_token":null},"then":{"current_token":null},"else":"none"}', '"none"'], currentToken, '4'),
  observe('has_current_token', 'Whether the request has a token or key of this database.', ['{"has_current_token":null}', 'false'], (ctx) => tokenOf(ctx) !== null, '4'),
  form({
    params: { key_from_secret: string },
    effect: 'read',
    source: SOURCE,
    summary: 'The key or token that a secret belongs to.',
    examples: [
      ['{"select":"role","from":{"key_from_secret":{"select":"secret","from":{"create_key":{"object":{"role":"server"}}}}}}', '"server"'],
    ],
    run({ key_from_secret: secret }, ctx, at) {
      const owner = secretOwner(secret);
      const missing = noKeyFound(at, secret);
      if (owner === null) throw missing;
      const hash = (): MaybePromise<string> => andThen(ctx.platform.sha256(ctx.platform.utf8.encode(secret)), (bytes) => toBase64(bytes, 'url'));
      return andThen(holderOf(owner.kind === 'key' ? NATIVE.keys : NATIVE.tokens, owner.id, hash, ctx.txn), (held) => {
        if (held === null) throw missing;
        return andThen(allows(ctx, 'read', held.ref, [held.ref]), (allowed) =>
          andThen(allowed ? findDocument(held.ref, ctx) : null, (doc) => {
            if (doc === null) throw missing;
            return shown(doc);
          }),
        );
      });
    },
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
    run({ login, params }, ctx, at) {
      const password = params.get('password');
      return andThen(subject(login, ctx, at.at('login')), (ref) =>
        andThen(ref !== null && typeof password === 'string' && hasPassword(ref, password, ctx), (right) => {
          if (!right || ref === null) throw authenticationFailed(at);
          const fields = params.filter((key) => key === 'data' || key === 'ttl').with('instance', ref);
          const tokens = new Ref(NATIVE.collections, BigInt(NATIVE.tokens), ctx.catalog.scope);
          return createDocument(tokens, fields, asAdmin(ctx), { form: at, target: at.at('login'), params: at.at('params') });
        }),
      );
    },
  }),
  form({
    params: { identify: identifier, password: string },
    effect: 'read',
    source: SOURCE,
    summary: "Whether a password is a document's.",
    examples: [['{"identify":{"ref":{"collection":"customers"},"id":"1"},"password":"owl"}', 'true']],
    run: ({ identify, password }, ctx, at) =>
      andThen(subject(identify, ctx, at.at('identify')), (ref) => ref !== null && hasPassword(ref, password, ctx)),
  }),
  form({
    params: { logout: boolean },
    effect: 'write',
    source: SOURCE,
    summary: 'Ends the token of the request, or all tokens of its document.',
    examples: [['{"logout":true}', 'false']],
    run({ logout: all }, ctx, at) {
      const { credential, identity: who } = ctx.caller;
      if (who === null) return false;
      if (!all) {
        if (credential?.collection !== NATIVE.tokens || credential.scope !== ctx.catalog.scope) return false;
        return andThen(stageDocument(credential, null, ctx, at), () => true);
      }
      return andThen(belongingsOf(who, 'tokens', ctx), (found) => fold(found, true as Value, (_, token) => andThen(stageDocument(token.ref, null, ctx, at), () => true)));
    },
  }),
];
