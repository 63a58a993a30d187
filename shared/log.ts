type Level = 'info' | 'warn' | 'error';

/**
 * Writes log lines; tests replace it. It does not use the console, because Lambda changes the console's lines. Lines
 * must reach CloudWatch unchanged, so that their metrics are found and no extra bytes are stored.
 */
export const logSink = {
  write: (line: string): void => void process.stdout.write(`${line}\n`),
};

const secrets = /\b([sr]k_(?:test|live)_|whsec_|doc_)[A-Za-z0-9+/=]+/g;
const cardNumbers = /\b\d(?:[ -]?\d){12,18}\b/g;
/**
 * Matches e-mail addresses. It starts only at the beginning of a word, so that no line is slow.
 * `node_modules/@scope/file.js` in a stack trace is not a match.
 */
const emails = /(?<![^\s"'<>@])[^\s"'<>@]*[^\s"'<>@/\\]@[^\s"'<>@/\\]+\.[^\s"'<>@/\\]+/g;

/** Removes keys, signing secrets, secrets of documents, card numbers and e-mail addresses from a log line. */
export const redact = (text: string): string =>
  text.replace(secrets, '$1[redacted]').replace(cardNumbers, '[number]').replace(emails, '[e-mail]');

/** Writes one JSON line: level, message and ids, but never a secret or personal data. */
function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  logSink.write(redact(JSON.stringify({ level, message, ...fields })));
}

/** The fields of an error for a log line. They are only for the log. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.name, reason: error.message, stack: error.stack, cause: error.cause && String(error.cause) };
}

export const logInfo = (message: string, fields?: Record<string, unknown>): void => log('info', message, fields);
export const logWarn = (message: string, fields?: Record<string, unknown>): void => log('warn', message, fields);
export const logError = (message: string, fields?: Record<string, unknown>): void => log('error', message, fields);

/** The field name of each kind of id in log lines, by the prefix of the id. */
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

/** The prefixes of ids that can appear in a log line. */
export const idPrefixes = Object.keys(names);

/**
 * Finds the ids among some texts, and gives them their field names for a log line. Other texts are left out, because
 * they may name a person.
 */
export const namedIds = (texts: Iterable<string | undefined>): Record<string, string> =>
  Object.fromEntries(
    [...texts].flatMap((text = '') => {
      const [, prefix = ''] = /^([a-z]{3})_[A-Za-z0-9]{10,40}$/.exec(text) ?? [];
      const name = names[prefix];
      return name === undefined ? [] : [[name, text]];
    }),
  );
