/** The message of the line in which a worker logs the exception that ended its call. An alarm counts these lines. */
export const failedCall = 'worker failed';
