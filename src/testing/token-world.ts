// A database, an issuer of web tokens that it may trust, and the network between them.
import { succeeded, type TestClient, testClient } from './client.ts';
import { type Algorithm, type SigningKey, signingKey, webToken } from './issuer.ts';
import { testPlatform, type TestPlatform } from './platform.ts';

export const ISSUER = 'https://issuer.example/';
export const KEYS = 'https://issuer.example/.well-known/jwks.json';
export const ROOT = 'https://db.fauna.com/db/yyyyyyyyyyyyy';
/** 2030-01-01, seconds. */
export const NOW = 1_893_456_000;

export const key = await signingKey('first');
export const other = await signingKey('second');

/** What stands at addresses; `null` where there is no network. */
type Network = Map<string, readonly unknown[]> | null;

export class World {
  network: Network = new Map();
  /** As a browser keeps them. */
  readonly kept = new Map<string, readonly unknown[]>();
  fetches = 0;
  private delay: Promise<unknown> | null = null;


  private constructor(
    readonly client: TestClient,
    readonly platform: TestPlatform,
  ) {}

  static async open(): Promise<World> {
    let world: World | null = null;
    const platform = testPlatform();
    platform.setNow(NOW * 1_000_000);
    platform.keySet = async (address, kept) => {
      if (world === null) throw new Error('not open');
      if (kept) return world.kept.get(address) ?? null;
      world.fetches++;
      await world.delay;
      const keys = world.network?.get(address) ?? null;
      if (keys !== null) world.kept.set(address, keys);
      return keys;
    };
    world = new World(await testClient(undefined, platform), platform);
    world.publish(key);
    for (const query of PREPARATION) await world.root(query);
    return world;
  }

  /** Sets the clock forward, seconds. */
  pass(seconds: number): void {
    this.platform.setNow(this.platform.now() + seconds * 1_000_000);
  }

  /** Lets nothing come from the network until the function is called that it gives. */
  hold(): () => Promise<void> {
    let arrive: (value: unknown) => void = () => undefined;
    this.delay = new Promise((resolve) => (arrive = resolve));
    return () => {
      this.delay = null;
      arrive(null);
      // What goes on in the background is done then.
      return new Promise((resolve) => setTimeout(resolve, 5));
    };
  }

  publish(...keys: readonly SigningKey[]): void {
    this.network?.set(KEYS, keys.map(({ published }) => published));
  }

  async root(query: string): Promise<string> {
    return succeeded(await this.client.query(query)).text;
  }

  async as(token: string, query = CREATE): Promise<number> {
    return (await this.answer(token, query)).status;
  }

  async answer(token: string, query: string): Promise<{ status: number; resource: unknown; code: unknown }> {
    const { status, text } = await this.client.queryAs(token, query);
    const { resource, errors } = JSON.parse(text) as { resource?: unknown; errors?: { code: string }[] };
    return { status, resource, code: errors?.[0]?.code };
  }

  /** With a claim `undefined` the token does not have it. */
  token(claims: object = {}, by = key, algorithm?: Algorithm, header?: object): Promise<string> {
    return webToken(by, { iss: ISSUER, aud: ROOT, sub: 'user|7', iat: NOW, exp: NOW + 60, scope: 'read:posts', ...claims }, algorithm, header);
  }

  provider(roles: string, issuer = ISSUER, name = `p${++providers}`): Promise<string> {
    return this.root(`{"create_access_provider":{"object":{"name":"${name}","issuer":"${issuer}","jwks_uri":"${KEYS}","roles":${roles}}}}`);
  }
}
let providers = 0;

export const PREPARATION = [
  '{"create_collection":{"object":{"name":"posts"}}}',
  '{"create_collection":{"object":{"name":"secrets"}}}',
  '{"create_role":{"object":{"name":"writer","privileges":[{"object":{"resource":{"collection":"posts"},"actions":{"object":{"create":true,"read":true}}}}]}}}',
];
export const CREATE = '{"create":{"collection":"posts"},"params":{"object":{"data":{"object":{}}}}}';
export const WRITER = '{"role":"writer"}';
export const under = (body: string, params = '"token"'): string => `{"object":{"role":${WRITER},"predicate":{"query":{"lambda":${params},"expr":${body}}}}}`;
