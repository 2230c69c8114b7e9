/**
 * Whether the tests that have a long form are to take it: more examples, each step instead of some.
 * `npm test -- --all` and `.ci/run` say so; what the short form leaves out is told where it does.
 */
export const isLongForm = Boolean(process.env['POSTHORN_TEST_LONG'])
