/** The test cards that the dialect documents. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  processingError: '4000000000000119',
  slowSuccess: '4000000000003220',
  slowDecline: '4000000000003238',
  failingRefunds: '4000000000000341',
  slowRefunds: '4000000000007726',
  disputeLost: '4000000000000259',
  disputeWon: '4000000000002685',
  pendingRefunds: '4000000000005126',
} as const;
