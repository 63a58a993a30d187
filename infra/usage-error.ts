/** An invalid command line. The message says what is valid. */
export class UsageError extends Error {}
