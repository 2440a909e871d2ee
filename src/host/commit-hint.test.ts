import { afterEach, expect, it, vi } from 'vitest';
import { openCommitChannel, type CommitChannel } from './commit-hint.ts';

const open: CommitChannel[] = [];
afterEach(() => open.splice(0).forEach((channel) => channel.close()));
const channel = (database: string): CommitChannel => {
  const opened = openCommitChannel(database);
  open.push(opened);
  return opened;
};

it('is heard by the other engines of the database, and by no others', async () => {
  const [own, other, third, foreign] = [channel('a'), channel('a'), channel('a'), channel('b')];
  const heard: string[] = [];
  own.onHint = () => heard.push('own');
  foreign.onHint = () => heard.push('foreign');
  await new Promise<void>((resolve) => {
    let left = 2;
    other.onHint = third.onHint = () => --left === 0 && resolve();
    own.tell();
  });
  expect(heard).toEqual([]);
});

it('says nothing where there is no channel', () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  expect(() => channel('a').tell()).not.toThrow();
  vi.unstubAllGlobals();
});
