interface TestCard {
  number: string;
  /** The card's description on the page. */
  label: string;
  /**
   * The state after the start. `step`: open until the buyer confirms. `later`: open, and paid a minute after the start.
   */
  charge: 'processing' | 'succeeded' | 'failed' | 'step' | 'later';
  /** The outcome of a charge that does not end at once. */
  ends?: 'succeeded' | 'failed';
  errorCode?: string;
  errorMessage?: string;
  refund?: 'pending';
  /** How a pending refund ends. */
  refundEnds?: 'succeeded' | 'failed';
  /** The bank's decision, if it disputes the payment. */
  dispute?: 'won' | 'lost';
}

/** The test cards that a buyer in the sandbox can choose. Nobody has to type a number. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', label: 'succeeds', charge: 'succeeded' },
  {
    number: '4000000000000002',
    label: 'is declined',
    charge: 'failed',
    errorCode: 'GENERIC_DECLINE',
    errorMessage: 'The card was declined.',
  },
  {
    number: '4000000000009995',
    label: 'has insufficient funds',
    charge: 'failed',
    errorCode: 'INSUFFICIENT_FUNDS',
    errorMessage: 'The card has insufficient funds.',
  },
  {
    number: '4000000000000119',
    label: 'meets a processing error',
    charge: 'failed',
    errorCode: 'PROCESSING_ERROR',
    errorMessage: 'The card could not be processed.',
  },
  { number: '4000000000003220', label: 'takes a while, then succeeds', charge: 'processing', ends: 'succeeded' },
  {
    number: '4000000000003238',
    label: 'takes a while, then is declined',
    charge: 'processing',
    ends: 'failed',
    errorCode: 'GENERIC_DECLINE',
    errorMessage: 'The card was declined.',
  },
  { number: '4000000000003063', label: 'asks for confirmation (3-D Secure)', charge: 'step', ends: 'succeeded' },
  { number: '4000000000003097', label: 'is paid after the buyer has left', charge: 'later', ends: 'succeeded' },
  {
    number: '4000000000000341',
    label: 'succeeds, its refunds fail',
    charge: 'succeeded',
    refund: 'pending',
    refundEnds: 'failed',
  },
  {
    number: '4000000000007726',
    label: 'succeeds, its refunds take a while',
    charge: 'succeeded',
    refund: 'pending',
    refundEnds: 'succeeded',
  },
  { number: '4000000000000259', label: 'succeeds, is disputed and lost', charge: 'succeeded', dispute: 'lost' },
  { number: '4000000000002685', label: 'succeeds, is disputed and won', charge: 'succeeded', dispute: 'won' },
  { number: '4000000000005126', label: 'succeeds, its refunds stay pending', charge: 'succeeded', refund: 'pending' },
];
