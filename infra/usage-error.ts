/** Thrown if a command line is invalid. The message says what is valid. */
export class UsageError extends Error {}
