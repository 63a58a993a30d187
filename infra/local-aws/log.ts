type Level = 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

/** Writes the problems of the local parts to standard output, as one JSON line each. A host may replace `write`. */
export const partsLog = {
  write: (level: Level, message: string, fields: Fields): void =>
    void process.stdout.write(`${JSON.stringify({ level, message, ...fields })}\n`),
};

const fieldsOf = (error: unknown): Fields =>
  error instanceof Error
    ? { error: error.name, reason: error.message, stack: error.stack, cause: error.cause && String(error.cause) }
    : { error: String(error) };

/** Logs a failed attempt, after which there is another one. */
export const reportRetry = (message: string, error: unknown, fields: Fields = {}): void =>
  partsLog.write('warn', message, { ...fields, ...fieldsOf(error) });

/** Logs a final failure. */
export const reportFailure = (message: string, error: unknown, fields: Fields = {}): void =>
  partsLog.write('error', message, { ...fields, ...fieldsOf(error) });

/** Logs work that a part drops after its last attempt. */
export const reportGivenUp = (message: string, fields: Fields): void => partsLog.write('error', message, fields);
