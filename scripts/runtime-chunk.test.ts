import { describe, expect, it } from 'vitest';
import { withHelper } from './runtime-chunk.ts';

const RUNTIME = 'var e=Object.keys,t=(n)=>e(n).length;export{t};';

describe("the bundler's helper", () => {
  it('stands in the file that imports it, its own names apart', () => {
    const code = withHelper('import{t as n}from"./rolldown-runtime-DK3Fl9T5.js";const e=2;globalThis.counted=n({a:1,b:2})+e;', RUNTIME);
    expect(code).not.toContain('import');
    expect(new Function(`${code}return globalThis.counted`)()).toBe(4);
  });

  it('is not left out in silence where the bundler has changed', () => {
    expect(() => withHelper('import*as r from"./rolldown-runtime-DK3Fl9T5.js";', RUNTIME)).toThrow('another way');
    expect(() => withHelper('import{x as n}from"./rolldown-runtime-DK3Fl9T5.js";', RUNTIME)).toThrow('another way');
  });
});
