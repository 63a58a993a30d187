type Level = 'info' | 'warn' | 'error';

/**
 * Where log lines go; tests replace it. It is not the console, which Lambda wraps. A line reaches CloudWatch
 * unchanged, so its metrics are found and no unused byte is stored.
 */
export const logSink = {
  write: (line: string): void => void process.stdout.write(`${line}\n`),
};

const secrets = /\b([sr]k_(?:test|live)_|whsec_|doc_)[A-Za-z0-9+/=]+/g;
const cardNumbers = /\b\d(?:[ -]?\d){12,18}\b/g;
/**
 * Searches only from the beginning of a word, so no line is slow. `node_modules/@scope/file.js` in a stack is no
 * address.
 */
const emails = /(?<![^\s"'<>@])[^\s"'<>@]*[^\s"'<>@/\\]@[^\s"'<>@/\\]+\.[^\s"'<>@/\\]+/g;

/** Removes keys, signing secrets, secrets of documents, card numbers and e-mail addresses from a log line. */
export const redact = (text: string): string =>
  text.replace(secrets, '$1[redacted]').replace(cardNumbers, '[number]').replace(emails, '[e-mail]');

/** Writes one JSON line: level, message, ids, but never a secret or a person. */
function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  logSink.write(redact(JSON.stringify({ level, message, ...fields })));
}

/** What an error says of itself, for the log only. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.name, reason: error.message, stack: error.stack, cause: error.cause && String(error.cause) };
}

export const logInfo = (message: string, fields?: Record<string, unknown>): void => log('info', message, fields);
export const logWarn = (message: string, fields?: Record<string, unknown>): void => log('warn', message, fields);
export const logError = (message: string, fields?: Record<string, unknown>): void => log('error', message, fields);

/** Under which name each kind of id is in every log line, by the prefix of the id. */
const names: Readonly<Record<string, string>> = {
  cks: 'session_id',
  cus: 'customer_id',
  dsp: 'dispute_id',
  evt: 'event_id',
  key: 'key_id',
  pay: 'payment_id',
  pdt: 'product_id',
  ref: 'refund_id',
  whk: 'endpoint_id',
};

/** With what an id begins that a line names. */
export const idPrefixes = Object.keys(names);

/** The ids among texts, named as in every log line. Other texts are left out, because they may name a person. */
export const namedIds = (texts: Iterable<string | undefined>): Record<string, string> =>
  Object.fromEntries(
    [...texts].flatMap((text = '') => {
      const [, prefix = ''] = /^([a-z]{3})_[A-Za-z0-9]{10,40}$/.exec(text) ?? [];
      const name = names[prefix];
      return name === undefined ? [] : [[name, text]];
    }),
  );
