import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, judge, summary } from './report.mjs';

const well = { code: 0, trouble: null };
const file = (name: string, status: string, ...tests: string[]) => ({
  name, status, assertionResults: tests.map((test) => ({ status: test })),
});

describe('a vitest report', () => {
  it('counts passed and failed tests', () => {
    expect(countVitest({ testResults: [file('a', 'failed', 'passed', 'failed'), file('b', 'passed', 'passed')] }))
      .toMatchObject({ passed: 2, failed: 1, remarks: [] });
  });

  it('names what failed, and says the first lines of why', () => {
    const message = ['\u001b[31mError: no\u001b[39m', ...Array.from({ length: 40 }, (_, i) => `at ${i}`)].join('\n');
    const { failures } = countVitest({ testResults: [
      { name: 'a', status: 'failed', assertionResults: [
        { status: 'passed', fullName: 'sets are sets' },
        { status: 'failed', fullName: 'a set is a set', failureMessages: [message] },
      ] },
      { name: 'b', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    ] });
    expect(failures).toEqual([
      ['a a set is a set', '  Error: no', ...Array.from({ length: 11 }, (_, i) => `  at ${i}`)].join('\n'),
      'b\n  SyntaxError',
    ]);
  });

  it('counts skipped and unfinished tests as failed', () => {
    expect(countVitest({ testResults: [file('a', 'passed', 'passed', 'pending', 'todo', 'skipped')] }))
      .toMatchObject({ passed: 1, failed: 3, remarks: ['3 skipped'] });
  });

  it('counts a file that did not load', () => {
    expect(countVitest({ testResults: [file('a', 'failed'), file('b', 'passed', 'passed')] }))
      .toMatchObject({ passed: 1, failed: 1, remarks: ['a did not load'] });
  });
});

describe('a playwright report', () => {
  it('counts skipped, flaky and errors outside tests as failed', () => {
    expect(countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{}] }))
      .toMatchObject({ passed: 5, failed: 5, remarks: ['2 skipped or not reached', '1 flaky', '1 outside any test'] });
  });

  it('names what failed, in suites of suites', () => {
    const spec = (title: string, status: string, ...messages: string[]) =>
      ({ title, file: 'a.spec.ts', line: 7, tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }] });
    const { failures } = countPlaywright({
      stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 1 },
      errors: [{ message: 'no server' }],
      suites: [{ title: 'a.spec.ts', specs: [spec('is well', 'expected'), spec('is left out', 'skipped')], suites: [
        { title: 'at this origin', specs: [spec('answers', 'unexpected', 'Error: 500'), spec('answers twice', 'flaky', 'Error: 501')] },
      ] }],
    });
    expect(failures).toEqual([
      'a.spec.ts:7 answers\n  Error: 500',
      'a.spec.ts:7 answers twice\n  Error: 501',
      'outside any test\n  no server',
    ]);
  });
});

describe('a runner that has ended', () => {
  const good = { passed: 3, failed: 0, remarks: [], failures: [] };

  it('is taken at its word when all is well', () => {
    expect(judge(good, well)).toEqual(good);
  });

  it.each([
    ['without a report', null, { code: 7, trouble: null }, 0, 'left no report (exit code 7)'],
    ['without a test', { passed: 0, failed: 0, remarks: [], failures: [] }, well, 0, 'ran no test'],
    ['badly with every test green', good, { code: 1, trouble: null }, 3, 'ended with exit code 1 though no test failed'],
    ['too late', good, { code: 1, trouble: 'was still running' }, 3, 'was still running'],
  ])('fails once if it ended %s', (_, count, ended, passed, remark) => {
    expect(judge(count, ended)).toEqual({ passed, failed: 1, remarks: [remark], failures: [] });
  });

  it('does not fail twice for its failing tests', () => {
    const red = { passed: 3, failed: 2, remarks: [], failures: ['a\n  Error', 'b\n  Error'] };
    expect(judge(red, { code: 1, trouble: null })).toEqual(red);
  });
});

it('the summary names what failed, and ends with the sum of all runners', () => {
  const text = summary([
    { name: 'unit', count: { passed: 20, failed: 0, remarks: [] }, seconds: 1 },
    { name: 'e2e', count: { passed: 3, failed: 2, remarks: ['1 skipped'], failures: ['a.spec.ts:7 answers\n  Error: 500'] }, seconds: 61.26 },
  ]);
  expect(text.split('\n')).toEqual([
    'runner      passed  failed  seconds',
    'unit            20       0      1.0',
    'e2e              3       2     61.3  1 skipped',
    '',
    'e2e: a.spec.ts:7 answers',
    '  Error: 500',
    '',
    '23 passed, 2 failed',
  ]);
});
