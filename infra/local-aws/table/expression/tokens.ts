/** A word or sign of an expression, with its position in the text. */
export interface Token {
  text: string;
  start: number;
  end: number;
}

const pattern = /\s*(<>|<=|>=|[=<>(),.+\-[\]]|[#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|\d+|\S)/y;

/** Splits a text into tokens. An unknown character becomes a token that no grammar accepts. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, word = ''] = match;
    tokens.push({ text: word, start: pattern.lastIndex - word.length, end: pattern.lastIndex });
  }
  return tokens;
}
