import type { Reporter, TestModule } from 'vitest/node';

const mostTests = 20;
const mostFiles = 10;
/** The fewest files of a run for which the report is printed. */
const leastFiles = 20;

interface Timed {
  name: string;
  milliseconds: number;
}

/** Lists the slowest first, one line each. */
export const ranked = (items: readonly Timed[], most: number): string[] =>
  [...items]
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, most)
    .map(({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${name}`);

const fileOf = (module: TestModule): Timed => ({ name: module.relativeModuleId, milliseconds: durationOf(module) });

function durationOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}

const testsOf = (module: TestModule): Timed[] =>
  [...module.children.allTests()].map((test) => ({
    name: `${module.relativeModuleId} > ${test.fullName}`,
    milliseconds: test.diagnostic()?.duration ?? 0,
  }));

/** Prints the slowest tests and files at the end of a run. */
export const slowest: Reporter = {
  onTestRunEnd: (modules) => {
    if (modules.length < leastFiles) return;
    const tests = ranked(modules.flatMap(testsOf), mostTests);
    const files = ranked(modules.map(fileOf), mostFiles);
    const lines = [`Slowest ${tests.length} tests`, ...tests, '', `Slowest ${files.length} files`, ...files];
    console.log(`\n${lines.join('\n')}`);
  },
};
