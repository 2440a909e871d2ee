import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { completion, language } from './fql-language.ts';

/** What is proposed at the text's end. */
const proposed = (text: string): readonly string[] | undefined => {
  const state = EditorState.create({ doc: text, extensions: language });
  return completion(() => ({ Collection: ['ferns'] }))(new CompletionContext(state, text.length, false))?.options.map(({ label }) => label);
};

describe('names in FQL as code', () => {
  it.each(['Collection("', 'Get(q.Collection("', 'q\n  . Collection("fe'])('are those of what is called: %s', (text) => expect(proposed(text)).toEqual(['ferns']));

  it.each(['Index("', 'toString("', 'q.constructor("', '"'])('are none here: %s', (text) => expect(proposed(text)).toBeUndefined());

  it('are those of functions elsewhere', () => expect(proposed('Get(Col')).toContain('Collection'));
});
