import type { Reporter, Vitest } from 'vitest/node';

let vitest: Vitest;

/** Prints at the end of a run how to repeat its order. */
export const seed: Reporter = {
  onInit: (running) => {
    vitest = running;
  },
  onTestRunEnd: () => {
    const { seed: used } = vitest.config.sequence;
    console.log(`\nThe order of the tests was seed ${used}: --sequence.seed=${used} repeats it.`);
  },
};
