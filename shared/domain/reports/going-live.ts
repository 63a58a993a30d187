/** What is known of a live stack, to see what is missing. */
export interface LiveFacts {
  hasProducts: boolean;
  /** Whether the API accepts calls. */
  isLive: boolean;
  /** Whether the stage names a processor. */
  hasProcessor: boolean;
  /** Whether a processor has ever answered. */
  hasAnswered: boolean;
  hasSold: boolean;
  /** Whether tax is collected anywhere. */
  collectsTax: boolean;
}

const liveSteps = ['product', 'live', 'processor', 'key', 'tax', 'sale'] as const;
type LiveStep = (typeof liveSteps)[number];

/** The steps to the first sale, each with whether it is done; the list is over with the last one. */
export const stepsToGoLive = (facts: LiveFacts): { step: LiveStep; isDone: boolean }[] => {
  const done: Record<LiveStep, boolean> = {
    product: facts.hasProducts,
    live: facts.isLive,
    processor: facts.hasProcessor,
    key: facts.hasAnswered,
    tax: facts.collectsTax,
    sale: facts.hasSold,
  };
  return liveSteps.map((step) => ({ step, isDone: done[step] }));
};
