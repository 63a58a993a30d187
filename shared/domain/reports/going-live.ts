/** The facts about a stack that show what is missing before it can sell. */
export interface LiveFacts {
  hasProducts: boolean;
  /** Whether the API accepts calls. */
  isLive: boolean;
  /** Whether the stage has a processor in its configuration. */
  hasProcessor: boolean;
  /** Whether a processor has ever answered. */
  hasAnswered: boolean;
  hasSold: boolean;
  /** Whether tax is collected anywhere. */
  collectsTax: boolean;
  /** Whether the shop shows what the law asks of the merchant. */
  meetsDuties: boolean;
}

const liveSteps = ['product', 'live', 'processor', 'key', 'tax', 'texts', 'sale'] as const;
/**
 * The steps of a sandbox. Taxes are not among them, because a sandbox collects tax everywhere, so that each tax can be
 * tried.
 */
const sandboxSteps = ['product', 'trial', 'deploy'] as const;
type LiveStep = (typeof liveSteps)[number] | (typeof sandboxSteps)[number];

/**
 * The steps to the first sale, each with whether it is done. In a live stack, the last step is the first sale. In a
 * sandbox, the last step is a deployment, which is never done.
 */
export const stepsToGoLive = (facts: LiveFacts, isSandbox: boolean): { step: LiveStep; isDone: boolean }[] => {
  const done: Record<LiveStep, boolean> = {
    product: facts.hasProducts,
    live: facts.isLive,
    processor: facts.hasProcessor,
    key: facts.hasAnswered,
    tax: facts.collectsTax,
    texts: facts.meetsDuties,
    sale: facts.hasSold,
    trial: facts.hasSold,
    deploy: false,
  };
  return (isSandbox ? sandboxSteps : liveSteps).map((step) => ({ step, isDone: done[step] }));
};
