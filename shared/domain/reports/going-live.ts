/** What is known of a stack, to see what is missing until it sells. */
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
/** Without the tax: a sandbox collects it everywhere, so that each can be tried. */
const sandboxSteps = ['product', 'trial', 'deploy'] as const;
type LiveStep = (typeof liveSteps)[number] | (typeof sandboxSteps)[number];

/** The steps to the first sale, each with whether it is done. The list of a live stack is over with the last one; a sandbox never sees it. */
export const stepsToGoLive = (facts: LiveFacts, isSandbox: boolean): { step: LiveStep; isDone: boolean }[] => {
  const done: Record<LiveStep, boolean> = {
    product: facts.hasProducts,
    live: facts.isLive,
    processor: facts.hasProcessor,
    key: facts.hasAnswered,
    tax: facts.collectsTax,
    sale: facts.hasSold,
    trial: facts.hasSold,
    deploy: false,
  };
  return (isSandbox ? sandboxSteps : liveSteps).map((step) => ({ step, isDone: done[step] }));
};
