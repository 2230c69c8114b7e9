/**
 * Kinds of tests: `tidy` reads the code itself, `unit` is pure and instant, `int` uses the real
 * stores, `e2e` drives whole processes that test files share; `own` starts some for itself, and
 * `measured` looks at time or memory, so that these run one file at a time (`scripts/test.mjs` sees
 * to that); `peers` need programs of others and run by `npm run peers` alone. Run one file:
 * `npm test -- --only <path>`.
 */

/**
 * What takes long and changes seldom: pages in a browser, command lines and libraries, other
 * versions of ours, stores as operators have them, restarts of the whole. `npm test -- --all` runs
 * them, as continuous integration does, and so does `npm test` with paths.
 */
const ONLY_WITH_ALL = [
  '<rootDir>/sdks/(go|python/tests)/package.int.test.ts',
  '<rootDir>/sdks/node/src/package.int.test.ts',
  '<rootDir>/services/compliance/src/subject-jobs/large-documents.int.test.ts',
  '<rootDir>/tests/chaos/standby.e2e.test.ts',
  '<rootDir>/tests/deploy/[a-z-]+.int.test.ts',
  '<rootDir>/tests/e2e/api-fuzz.e2e.test.ts',
  '<rootDir>/tests/e2e/cli-[a-z]+.e2e.test.ts',
  '<rootDir>/tests/e2e/embedding.e2e.test.ts',
  '<rootDir>/tests/e2e/guides.e2e.test.ts',
  '<rootDir>/tests/e2e/lean-start.e2e.test.ts',
  '<rootDir>/tests/e2e/master-key.e2e.test.ts',
  '<rootDir>/tests/e2e/pages(-[a-z-]+)?.e2e.test.ts',
  '<rootDir>/tests/e2e/restore.e2e.test.ts',
  '<rootDir>/tests/e2e/rolling-restart.e2e.test.ts',
  '<rootDir>/tests/e2e/sdk-[a-z]+.e2e.test.ts',
  '<rootDir>/tests/e2e/walk.e2e.test.ts',
  '<rootDir>/tests/e2e/who-may-call.e2e.test.ts',
  '<rootDir>/tests/load/pages/',
  '<rootDir>/tests/stores/[a-z-]+.int.test.ts',
  '<rootDir>/tests/upgrade/',
]
const leftOut = process.env['POSTHORN_TEST_SHORT'] ? ONLY_WITH_ALL : []

const common = {
  // A setting of each project. Not among the temporary files, which a run throws away.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts'],
  // Node itself strips the types.
  transform: {},
  runtime: '<rootDir>/libs/testing/src/jest-runtime.mjs',
  testEnvironment: '<rootDir>/libs/testing/src/jest-environment.mjs',
  modulePathIgnorePatterns: ['<rootDir>/.posthorn', '<rootDir>/node_modules/.cache'],
  testPathIgnorePatterns: ['/node_modules/', ...leftOut],
}
const stores = {
  globalSetup: '<rootDir>/libs/testing/src/jest-global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/src/jest-global-teardown.mjs',
}

/**
 * These have a cluster of their own, or take a whole one to its limits: one of them at a time,
 * beside the others.
 */
const OWN = [
  '<rootDir>/tests/chaos/short.e2e.test.ts',
  '<rootDir>/tests/chaos/standby.e2e.test.ts',
  '<rootDir>/tests/e2e/api-fuzz.e2e.test.ts',
  '<rootDir>/tests/e2e/closed-doors.e2e.test.ts',
  '<rootDir>/tests/e2e/first-start.e2e.test.ts',
  '<rootDir>/tests/e2e/nothing-lost.e2e.test.ts',
  '<rootDir>/tests/e2e/lean-start.e2e.test.ts',
  '<rootDir>/tests/e2e/master-key.e2e.test.ts',
  '<rootDir>/tests/e2e/restore.e2e.test.ts',
  '<rootDir>/tests/e2e/spans.e2e.test.ts',
  '<rootDir>/tests/e2e/stalled-bodies.e2e.test.ts',
]
const MEASURED = [
  '<rootDir>/services/compliance/src/subject-jobs/large-documents.int.test.ts',
  '<rootDir>/services/portal-api/src/auth/log-in-timing.int.test.ts',
  '<rootDir>/tests/adversary/adversary.e2e.test.ts',
  '<rootDir>/tests/e2e/bad-neighbour.e2e.test.ts',
  '<rootDir>/tests/e2e/hostile-receivers.e2e.test.ts',
  // These two refuse no request, which takes processors that are not all busy with other tests.
  '<rootDir>/tests/e2e/rolling-restart.e2e.test.ts',
  '<rootDir>/tests/upgrade/upgrade.e2e.test.ts',
]

export default {
  watchman: false,
  // A worker keeps what each file loaded. With a gigabyte of that it does not end in the half second
  // that Jest leaves it, which looks like a leak; above this one it is replaced between two files.
  workerIdleMemoryLimit: '700MB',
  // Several times what the slowest takes on a machine that does nothing else; jest-environment.mjs
  // gives three times as much.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [
        ...common.testPathIgnorePatterns,
        '\\.(int|e2e|peer)\\.test\\.ts$',
        '<rootDir>/tests/tidy/',
      ],
    },
    { ...common, displayName: 'peers', testMatch: ['**/*.peer.test.ts'] },
    { ...common, displayName: 'tidy', testMatch: ['<rootDir>/tests/tidy/*.test.ts'] },
    {
      ...common,
      ...stores,
      displayName: 'int',
      testMatch: ['**/*.int.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, ...MEASURED],
    },
    {
      ...common,
      ...stores,
      displayName: 'e2e',
      testMatch: ['<rootDir>/tests/**/*.e2e.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, ...OWN, ...MEASURED],
    },
    { ...common, ...stores, displayName: 'own', testMatch: OWN },
    { ...common, ...stores, displayName: 'measured', testMatch: MEASURED },
  ],
}
