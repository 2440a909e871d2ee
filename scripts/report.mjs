// What a test runner's report says, in two numbers.
//
// Nothing passes in silence: a skipped test, a file that did not load, a flaky test and an error outside any test
// count as failed; so does a runner that wrote no report, ran no test, or ended badly with every test green. What
// failed is named once more at the end, as a long log is often read, or kept, from there.

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} remarks What was counted as failed besides failing tests.
 * @property {readonly string[]} [failures] Each failing test: its name, and the first lines of what it says.
 *
 * @typedef {{ message?: string }} TestError
 * @typedef {{ title: string, file: string, line: number, tests: readonly { status: string, results: readonly { errors: readonly TestError[] }[] }[] }} Spec
 * @typedef {{ title: string, suites?: readonly Suite[], specs?: readonly Spec[] }} Suite
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors?: readonly TestError[], suites?: readonly Suite[] }} PlaywrightReport
 * @typedef {{ status: string, fullName?: string, failureMessages?: readonly string[] | null }} Assertion
 * @typedef {{ testResults: readonly { name: string, status: string, message?: string, assertionResults: readonly Assertion[] }[] }} VitestReport
 */

const many = (/** @type {number} */ n, /** @type {string} */ what) => (n === 0 ? [] : [`${n} ${what}`]);

/** Enough of an error to know it by. */
const FIRST_LINES = 12;

const COLOURS = /\u001b\[[0-9;]*m/gu;

/**
 * @param {string} name
 * @param {readonly (string | undefined)[]} messages
 */
const failure = (name, messages) => [name, ...messages.flatMap((message = '') =>
  message.replace(COLOURS, '').split('\n').slice(0, FIRST_LINES).map((line) => `  ${line}`.trimEnd()))].join('\n');

/**
 * @param {Suite} suite
 * @returns {string[]} its tests that did not go as expected, other than by not being run
 */
const failuresOf = ({ suites = [], specs = [] }) => [
  ...specs.flatMap(({ title, file, line, tests }) => tests
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ results }) => failure(`${file}:${line} ${title}`, results.flatMap(({ errors }) => errors.map(({ message }) => message))))),
  ...suites.flatMap(failuresOf),
];

/**
 * Playwright's `json` reporter.
 * @param {PlaywrightReport} report
 * @returns {Count}
 */
export function countPlaywright({ stats, errors = [], suites = [] }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
    remarks: [
      ...many(stats.skipped, 'skipped or not reached'),
      ...many(stats.flaky, 'flaky'),
      ...many(errors.length, 'outside any test'),
    ],
    failures: [...suites.flatMap(failuresOf), ...errors.map(({ message }) => failure('outside any test', [message]))],
  };
}

/**
 * Vitest's `json` reporter.
 * @param {VitestReport} report
 * @returns {Count}
 */
export function countVitest({ testResults }) {
  const tests = testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed').length;
  // A file that fails without a failing test did not load, or failed in a hook.
  const broken = testResults.filter((file) =>
    file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'));
  return {
    passed,
    failed: tests.length - passed + broken.length,
    remarks: [...many(skipped, 'skipped'), ...broken.map((file) => `${file.name} did not load`)],
    failures: testResults.flatMap(({ name, message, assertionResults }) => [
      ...broken.some((file) => file.name === name) ? [failure(name, [message])] : [],
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName = '', failureMessages }) => failure(`${name} ${fullName}`.trimEnd(), failureMessages ?? [])),
    ]),
  };
}

/**
 * The count of a runner that has ended.
 * @param {Count | null} count What its report says; null without a report.
 * @param {{ code: number, trouble: string | null }} ended
 * @returns {Count}
 */
export function judge(count, { code, trouble }) {
  const { passed, failed, remarks, failures = [] } = count ?? { passed: 0, failed: 0, remarks: [] };
  const complaint =
    trouble ??
    (count === null ? `left no report (exit code ${code})` : null) ??
    (passed + failed === 0 ? 'ran no test' : null) ??
    (code !== 0 && failed === 0 ? `ended with exit code ${code} though no test failed` : null);
  return complaint === null
    ? { passed, failed, remarks, failures }
    : { passed, failed: failed + 1, remarks: [...remarks, complaint], failures };
}

/**
 * A table of the counts, what failed, and the line that sums them up.
 * @param {readonly { name: string, count: Count, seconds: number }[]} rows
 * @returns {string}
 */
export function summary(rows) {
  const sum = (/** @type {'passed' | 'failed'} */ key) => rows.reduce((total, { count }) => total + count[key], 0);
  return [
    `${'runner'.padEnd(10)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'seconds'.padStart(9)}`,
    ...rows.map(({ name, count: { passed, failed, remarks }, seconds }) => [
      name.padEnd(10),
      String(passed).padStart(8),
      String(failed).padStart(8),
      seconds.toFixed(1).padStart(9),
      remarks.length === 0 ? '' : `  ${remarks.join('; ')}`,
    ].join('')),
    ...rows.flatMap(({ name, count: { failures = [] } }) => failures.flatMap((text) => ['', `${name}: ${text}`])),
    '',
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ].join('\n');
}
